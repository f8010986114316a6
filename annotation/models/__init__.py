"""The tables of the shared ground."""

from annotation.models.batches import (
    Batch,
    BatchState,
    DiscardedBatch,
    Origin,
    StageCode,
    worked_at,
)
from annotation.models.charts import Chart
from annotation.models.exclusions import Exclusion, ExclusionKind
from annotation.models.jobs import UNDER_WAY, Job, JobState, JobWorker
from annotation.models.people import User
from annotation.models.posts import ATTENTION, BadRows, ImportFile, ImportState, Post
from annotation.models.sessions import Session
from annotation.models.sittings import Sitting, SittingSlot, SittingState
from annotation.models.standings import WORK_ENDED, Standing, StandingChange, StandingState
from annotation.models.studies import Member, NonAscii, Pooling, Protocol, Role, Study, StudyState
from annotation.models.tasks import (
    Assignment,
    AssignmentState,
    Cursor,
    Place,
    SkipReason,
    Task,
    TaskKind,
)
from annotation.models.tokens import ApiToken, Scope
from annotation.models.votes import Tally, Vote
from annotation.models.webhooks import (
    LONGEST_ADDRESS,
    TEST,
    DeliveryState,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
    WebhookState,
)

__all__ = [
    "ATTENTION",
    "LONGEST_ADDRESS",
    "TEST",
    "UNDER_WAY",
    "WORK_ENDED",
    "ApiToken",
    "Assignment",
    "AssignmentState",
    "BadRows",
    "Batch",
    "BatchState",
    "Chart",
    "Cursor",
    "DeliveryState",
    "DiscardedBatch",
    "Exclusion",
    "ExclusionKind",
    "ImportFile",
    "ImportState",
    "Job",
    "JobState",
    "JobWorker",
    "Member",
    "NonAscii",
    "Origin",
    "Place",
    "Pooling",
    "Post",
    "Protocol",
    "Role",
    "Scope",
    "Session",
    "Sitting",
    "SittingSlot",
    "SittingState",
    "SkipReason",
    "StageCode",
    "Standing",
    "StandingChange",
    "StandingState",
    "Study",
    "StudyState",
    "Tally",
    "Task",
    "TaskKind",
    "User",
    "Vote",
    "Webhook",
    "WebhookDelivery",
    "WebhookEvent",
    "WebhookState",
    "worked_at",
]

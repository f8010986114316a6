"""Addresses of the API of the crowd stage and of the gold pool, below /api/v1/."""

from django.urls import path

from crowd.api import batches, instructions, results, votes, work

STUDY = "studies/<slug:slug>"
WORK, CROWD, GOLD = f"{STUDY}/work", f"{STUDY}/crowd", f"{STUDY}/gold"
ONE = "<int:assignment_id>"

urlpatterns = [
    path(f"{WORK}/instructions/", work.WorkInstructions.as_view(), name="api_work_instructions"),
    path(f"{WORK}/start/", work.WorkStart.as_view(), name="api_work_start"),
    path(f"{WORK}/leave/", work.WorkLeave.as_view(), name="api_work_leave"),
    path(f"{WORK}/next/", work.WorkNext.as_view(), name="api_work_next"),
    path(f"{WORK}/{ONE}/submit/", work.WorkSubmit.as_view(), name="api_work_submit"),
    path(f"{WORK}/{ONE}/skip/", work.WorkSkip.as_view(), name="api_work_skip"),
    path(f"{WORK}/{ONE}/extend/", work.WorkExtend.as_view(), name="api_work_extend"),
    path(f"{WORK}/votes/", work.WorkVotes.as_view(), name="api_work_votes"),
    path(f"{WORK}/votes/{ONE}/", work.OneWorkVote.as_view(), name="api_work_vote"),
    path(f"{CROWD}/batches/", batches.CrowdBatches.as_view(), name="api_crowd_batches"),
    path(
        f"{CROWD}/batches/<int:number>/",
        batches.OneCrowdBatch.as_view(),
        name="api_crowd_batch",
    ),
    path(
        f"{CROWD}/batches/<int:number>/move/",
        batches.CrowdBatchMove.as_view(),
        name="api_crowd_batch_move",
    ),
    path(
        f"{CROWD}/instructions/",
        instructions.InstructionsVersions.as_view(),
        name="api_crowd_instructions",
    ),
    path(f"{CROWD}/votes/", votes.CrowdVotes.as_view(), name="api_crowd_votes"),
    path(f"{CROWD}/agreement/", results.CrowdAgreement.as_view(), name="api_crowd_agreement"),
    path(f"{CROWD}/labels/", results.CrowdLabels.as_view(), name="api_crowd_labels"),
    path(f"{CROWD}/people/", results.CrowdPeople.as_view(), name="api_crowd_people"),
    path(f"{GOLD}/batches/", batches.GoldBatches.as_view(), name="api_gold_batches"),
    path(
        f"{GOLD}/batches/<int:number>/move/",
        batches.GoldBatchMove.as_view(),
        name="api_gold_batch_move",
    ),
    path(f"{GOLD}/votes/", votes.GoldVotesOfAll.as_view(), name="api_gold_votes"),
    path(f"{GOLD}/agreement/", results.GoldAgreement.as_view(), name="api_gold_agreement"),
    path(f"{GOLD}/work/next/", work.GoldNext.as_view(), name="api_gold_next"),
    path(f"{GOLD}/work/{ONE}/submit/", work.GoldSubmit.as_view(), name="api_gold_submit"),
    path(f"{GOLD}/work/{ONE}/skip/", work.GoldSkip.as_view(), name="api_gold_skip"),
    path(f"{GOLD}/work/votes/", work.GoldVotes.as_view(), name="api_gold_own_votes"),
    path(f"{GOLD}/work/votes/{ONE}/", work.OneGoldVote.as_view(), name="api_gold_own_vote"),
]

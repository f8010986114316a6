"""Takes the newest catalogue over into the clone of a study."""

from annotation.models import Study, User
from annotation.services.studies import copy_row
from legal.models import Criterion, Issue, Topic
from legal.queries.catalogues import current_catalogue


def copy_catalogue(source: Study, target: Study, by: User) -> None:
    """Make the newest catalogue of one study the first of another, with all that belongs to it."""
    newest = current_catalogue(source)
    if newest is None:
        return
    made = copy_row(newest, study=target, version=1, created_by=by)
    topics = {
        topic.pk: copy_row(topic, catalogue=made)
        for topic in Topic.objects.filter(catalogue=newest).order_by("pk")
    }
    issues = {
        issue.pk: copy_row(issue, catalogue=made, topic=topics[issue.topic_id])
        for issue in Issue.objects.filter(catalogue=newest).order_by("pk")
    }
    criteria: dict[int | None, Criterion | None] = {None: None}
    for criterion in Criterion.objects.filter(issue__catalogue=newest).order_by("pk"):
        old, parent = criterion.pk, criteria[criterion.parent_id]
        criteria[old] = copy_row(criterion, issue=issues[criterion.issue_id], parent=parent)

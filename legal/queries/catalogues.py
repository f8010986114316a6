"""A study's catalogue: its versions, and one version as the tree that people read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotation.models import BatchState, Member, Study, User
from legal.algorithms import Group, IssueRules, Leaf
from legal.catalogues.differences import CatalogueChanges, changes_between
from legal.catalogues.reading import plain_name
from legal.catalogues.texts import (
    CatalogueText,
    CriterionText,
    IssueText,
    SourceText,
    TopicText,
)
from legal.models import (
    Catalogue,
    Criterion,
    CriterionKind,
    GuideRead,
    Issue,
    LegalRound,
    Rule,
    Topic,
)


@dataclass
class CriterionNode:
    """A test or a defence with the smaller questions that it is made of."""

    criterion: Criterion
    parts: list["CriterionNode"] = field(default_factory=list)


@dataclass
class IssueNode:
    """An issue with its tests and defences."""

    issue: Issue
    tests: list[CriterionNode] = field(default_factory=list)
    defences: list[CriterionNode] = field(default_factory=list)


@dataclass
class TopicNode:
    """A topic with its issues."""

    code: str
    name: str
    issues: list[IssueNode] = field(default_factory=list)


def catalogues_of(study: Study) -> QuerySet[Catalogue]:
    """Return a study's versions of the catalogue, newest first."""
    return Catalogue.objects.filter(study=study).select_related("created_by")


def counted_versions(study: Study) -> QuerySet[Catalogue]:
    """Return a study's versions with how many issues they have and how many people read them."""
    counted = catalogues_of(study).annotate(
        issue_count=Count("issues", distinct=True), reader_count=Count("readers", distinct=True)
    )
    return counted.order_by("-version")  # what is counted in groups loses the model's order


def memberships_with_catalogue(user: User) -> QuerySet[Member]:
    """Return where somebody is a member of studies that have a catalogue."""
    members = Member.objects.filter(user=user, is_active=True)
    with_catalogue = members.filter(Exists(Catalogue.objects.filter(study=OuterRef("study"))))
    return with_catalogue.select_related("study").order_by("study__title", "pk")


def current_catalogue(study: Study) -> Catalogue | None:
    """Return the newest version, if the study has any."""
    return catalogues_of(study).first()


def catalogue_in_force(study: Study) -> Catalogue | None:
    """Return the version that the next task refers to: the oldest open batch's, else the newest."""
    open_round = (
        LegalRound.objects.filter(batch__study=study, batch__state=BatchState.OPEN)
        .select_related("catalogue")
        .order_by("batch__number")
        .first()
    )
    return open_round.catalogue if open_round else current_catalogue(study)


def has_read(member: Member, catalogue: Catalogue) -> bool:
    """Say whether somebody has read a version of the guide."""
    return GuideRead.objects.filter(member=member, catalogue=catalogue).exists()


def last_read(member: Member, other_than: Catalogue) -> GuideRead | None:
    """Return what somebody read of the guide last, another version than this one."""
    reads = GuideRead.objects.filter(member=member).exclude(catalogue=other_than)
    return reads.select_related("catalogue").order_by("-read_at").first()


def changes_of(old: Catalogue, new: Catalogue) -> CatalogueChanges:
    """Return what changed from one version to another. Four queries."""
    return changes_between(text_of(old), text_of(new))


def text_of(catalogue: Catalogue) -> CatalogueText:
    """Return a version as a value. Two queries."""
    return CatalogueText(
        title=catalogue.title,
        jurisdiction=catalogue.jurisdiction,
        language=catalogue.language,
        note=catalogue.note,
        topics=tuple(
            TopicText(topic.code, topic.name, tuple(issue_text(issue) for issue in topic.issues))
            for topic in guide(catalogue)
        ),
    )


def issue_text(node: IssueNode) -> IssueText:
    """Return an issue as a value."""
    issue = node.issue
    return IssueText(
        code=issue.code,
        name=issue.name,
        summary=issue.summary,
        sources=tuple(SourceText(**source) for source in issue.sources),
        test_rule=issue.test_rule,
        tests=tuple(criterion_text(test) for test in node.tests),
        defence_rule=issue.defence_rule,
        defences=tuple(criterion_text(defence) for defence in node.defences),
        positive_example=issue.positive_example,
        negative_example=issue.negative_example,
    )


def criterion_text(node: CriterionNode) -> CriterionText:
    """Return a test or a defence as a value."""
    criterion = node.criterion
    return CriterionText(
        code=criterion.code,
        name=criterion.name,
        question=criterion.question,
        rule=criterion.rule,
        parts=tuple(criterion_text(part) for part in node.parts),
    )


def guide(catalogue: Catalogue) -> list[TopicNode]:
    """Return a version as a tree: topics, their issues, tests and defences. Two queries."""
    issues = list(Issue.objects.filter(catalogue=catalogue).select_related("topic"))
    nodes = {issue.pk: IssueNode(issue) for issue in issues}
    place_criteria(nodes, Criterion.objects.filter(issue__catalogue=catalogue))
    topics: dict[int, TopicNode] = {}
    for issue in sorted(issues, key=lambda issue: (issue.topic.order, issue.order)):
        topic = topics.setdefault(issue.topic_id, TopicNode(issue.topic.code, issue.topic.name))
        topic.issues.append(nodes[issue.pk])
    return list(topics.values())


def issue_nodes(catalogue: Catalogue) -> dict[str, IssueNode]:
    """Return a version's issues with their tests and defences, by code. Two queries."""
    return {node.issue.code: node for topic in guide(catalogue) for node in topic.issues}


def leaves_of(node: IssueNode) -> Iterator[Criterion]:
    """Yield the tests and defences of an issue that are answered themselves; groups follow."""
    for one in (*node.tests, *node.defences):
        yield from (part.criterion for part in one.parts or [one])


def rules_of(node: IssueNode) -> IssueRules:
    """Return how an issue's tests and defences combine."""
    return IssueRules(
        tests=group(node.issue.test_rule, node.tests),
        defences=group(node.issue.defence_rule, node.defences),
    )


def group(rule: str, nodes: Iterable[CriterionNode]) -> Group:
    """Return criteria joined by a rule."""
    parts = tuple(
        group(node.criterion.rule, node.parts) if node.parts else Leaf(node.criterion.code)
        for node in nodes
    )
    return Group("any" if rule == Rule.ANY else "all", parts)


def place_criteria(nodes: dict[int, IssueNode], criteria: Iterable[Criterion]) -> None:
    """Put each criterion below its issue, or below the group that it is part of."""
    criteria = sorted(criteria, key=lambda criterion: criterion.order)
    placed = {criterion.pk: CriterionNode(criterion) for criterion in criteria}
    for node in placed.values():
        criterion = node.criterion
        if criterion.parent_id:
            placed[criterion.parent_id].parts.append(node)
        elif criterion.kind == CriterionKind.TEST:
            nodes[criterion.issue_id].tests.append(node)
        else:
            nodes[criterion.issue_id].defences.append(node)


def kinds_of_codes(study: Study) -> dict[tuple[str, str], str]:
    """Return whether each code of a criterion, beside its issue's, is a test or a defence."""
    used = Criterion.objects.filter(issue__catalogue__study=study).order_by()
    rows = used.values_list("issue__code", "code", "kind").distinct()
    return {(issue, code): kind for issue, code, kind in rows}


def codes_given(study: Study) -> tuple[set[str], set[str]]:
    """Return the codes of topics and of issues that some version of a study has or had."""
    topics = Topic.objects.filter(catalogue__study=study).order_by()
    issues = Issue.objects.filter(catalogue__study=study).order_by()
    return (
        set(topics.values_list("code", flat=True).distinct()),
        set(issues.values_list("code", flat=True).distinct()),
    )


def criterion_codes_given(study: Study, issue: str) -> set[str]:
    """Return the codes of tests and defences that some version of an issue has or had."""
    used = Criterion.objects.filter(issue__catalogue__study=study, issue__code=issue).order_by()
    return set(used.values_list("code", flat=True).distinct())


def issue_names(study: Study) -> dict[str, str]:
    """Return the codes of all versions' issues with their newest names, in the newest order."""
    issues = Issue.objects.filter(catalogue__study=study).order_by(
        "-catalogue__version", "topic__order", "order"
    )
    names: dict[str, str] = {}
    for code, name in issues.values_list("code", "name"):
        names.setdefault(code, name)
    return names


def issues_by_name(catalogue: Catalogue) -> dict[str, str]:
    """Return the code of each issue by its plain name and by its plain code."""
    pairs = list(Issue.objects.filter(catalogue=catalogue).values_list("code", "name"))
    by_code = {plain_name(code): code for code, _name in pairs}
    return by_code | {plain_name(name): code for code, name in pairs}

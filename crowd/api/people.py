"""The crowd's people: how well each works, the rows behind it, and what is done about it."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.fields import Anything, Moment
from annotation.api.jobs import JobRow
from annotation.api.pages import PageQuery
from annotation.models import (
    ExclusionKind,
    Member,
    SkipReason,
    StageCode,
    StandingState,
)
from annotation.queries.progress import annotators_of
from annotation.services.standings import StandingRefused, change_standing, exclude
from crowd.api.prescreening import QualificationDecided
from crowd.api.quality import FlagRow
from crowd.queries.estimates import newest_estimate, reliability_of
from crowd.queries.labels import label_names
from crowd.queries.people import figures_of, label_shares
from crowd.queries.person import SHOWN, exclusion_of, flags_of, record_of, rows_of, skipped_by
from crowd.queries.rounds import hidden_posts
from crowd.services.candidates import requalify
from crowd.services.estimates import start_estimate
from crowd.services.prescreening import PrescreeningRefused

ORDERS = {"-votes": ("-vote_count", "pk"), "votes": ("vote_count", "pk"), "pseudonym": ("pk",)}
STANDINGS = [(state, state) for state in ("active", "paused")]
OF_VOTES = ("", *(name for name in SHOWN if name != "skipped"))


class RightOf(serializers.Serializer):
    """How many of some answers were right."""

    of = serializers.IntegerField()
    right = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)


class AgreesWithOthers(serializers.Serializer):
    """How many votes could be compared with the others' majority, and how many equal it."""

    votes = serializers.IntegerField()
    agreeing = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)


class SkippedOf(serializers.Serializer):
    """How many of the posts that ended in somebody's hands were skipped; harm is not counted."""

    of = serializers.IntegerField()
    skipped = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)


class PersonRow(serializers.Serializer):
    """Somebody's work with the crowd; `skill` is of the newest estimate, `flags` are open ones."""

    pseudonym = serializers.CharField(source="member.pseudonym")
    state = serializers.ChoiceField(choices=StandingState.choices)
    votes = serializers.IntegerField()
    median_seconds = serializers.FloatField(source="seconds", allow_null=True)
    gold = RightOf()
    attention = RightOf()
    others = AgreesWithOthers()
    skips = SkippedOf()
    flags = serializers.IntegerField()
    skill = serializers.FloatField(allow_null=True)


class PersonLabel(serializers.Serializer):
    """How often somebody chose a label, beside how often all did."""

    code = serializers.CharField()
    name = serializers.CharField()
    votes = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    of_all = serializers.FloatField()


class PersonChange(serializers.Serializer):
    """A change of how somebody stands; by hand, or by a rule or the person."""

    state = serializers.ChoiceField(choices=StandingState.choices)
    reason = serializers.CharField()
    by_hand = serializers.SerializerMethodField()
    created_at = Moment()

    def get_by_hand(self, change: Any) -> bool:
        """Say whether a researcher did it."""
        return change.created_by_id is not None


class PersonExclusion(serializers.Serializer):
    """Somebody's votes taken out; `places` votes were asked for anew."""

    kind = serializers.ChoiceField(choices=ExclusionKind.choices)
    reason = serializers.CharField()
    places = serializers.IntegerField()
    created_at = Moment()


class PersonShown(serializers.Serializer):
    """One person: figures, labels, error rates by the newest estimate, flags and the record."""

    figures = PersonRow()
    labels = PersonLabel(many=True)
    error_rates = Anything(
        allow_null=True,
        help_text="By the right label, in the order of `estimated_labels`: what the person says.",
    )
    estimated_labels = serializers.ListField(child=serializers.CharField())
    flags = FlagRow(many=True)
    changes = PersonChange(many=True)
    exclusions = PersonExclusion(many=True)
    qualifications = QualificationDecided(many=True)


class PersonQuery(PageQuery):
    """In which order."""

    order = serializers.ChoiceField(default="-votes", choices=[(name, name) for name in ORDERS])


class PersonVotesQuery(PageQuery):
    """The votes behind one figure, or those for one label."""

    show = serializers.ChoiceField(
        default="", choices=[(name, name) for name in OF_VOTES], allow_blank=True
    )
    label = serializers.CharField(default="", allow_blank=True, max_length=60)


class PersonVote(serializers.Serializer):
    """A vote that stands; `gold` is the known answer where the post was a check."""

    post = serializers.CharField(source="task.post.external_id")
    stage = serializers.ChoiceField(source="task.stage", choices=StageCode.choices)
    batch = serializers.IntegerField(source="task.batch.number")
    label = serializers.CharField()
    gold = serializers.SerializerMethodField()
    version = serializers.IntegerField()
    counted = serializers.BooleanField()
    seconds = serializers.FloatField(allow_null=True)
    created_at = Moment()

    def get_gold(self, vote: Any) -> str | None:
        """Return the known answer to a check."""
        return str(vote.gold) if vote.task.stage == StageCode.CHECK else None


class PersonSkip(serializers.Serializer):
    """A post that somebody skipped, and why."""

    post = serializers.CharField(source="task.post.external_id")
    batch = serializers.IntegerField(source="task.batch.number")
    reason = serializers.ChoiceField(source="skip_reason", choices=SkipReason.choices)
    ended_at = Moment()


class NewStanding(serializers.Serializer):
    """Whether somebody may work; only researchers read the reason."""

    state = serializers.ChoiceField(choices=STANDINGS)
    reason = serializers.CharField(max_length=2_000, default="", allow_blank=True)


class Why(serializers.Serializer):
    """Why; it stays on record."""

    reason = serializers.CharField(max_length=2_000)


class DismissForecast(serializers.Serializer):
    """What dismissing changes: votes that stop counting, and votes that are asked for anew."""

    votes = serializers.IntegerField()
    places = serializers.IntegerField()


class EstimateShown(serializers.Serializer):
    """The newest estimate after Dawid and Skene."""

    labels = serializers.ListField(child=serializers.CharField())
    shares = serializers.ListField(child=serializers.FloatField())
    posts = serializers.IntegerField()
    people = serializers.IntegerField()
    votes = serializers.IntegerField()
    rounds = serializers.IntegerField()
    converged = serializers.BooleanField()
    created_at = Moment()


class CrowdPeople(StudyEndpoint):
    """Who voted with the crowd."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(PersonRow, is_page=True, query=PersonQuery)
    def get(self, request: Request) -> Response:
        """List the people who voted, by pseudonym, with the figures of their work."""
        study = self.access.study
        people = annotators_of(study, StageCode.CROWD)
        by = ORDERS[self.query["order"]]
        return self.page(people, by, lambda found: figures_of(study, found))


class PersonEndpoint(StudyEndpoint):
    """An address of one person."""

    def member(self, pseudonym: str) -> Member:
        """Return the member with this pseudonym."""
        return of_study(Member.objects.select_related("user"), self.access, pseudonym=pseudonym)

    def shown(self, member: Member) -> Response:
        """Answer with all that is known of somebody's work."""
        study, record = self.access.study, record_of(member)
        estimate = newest_estimate(study)
        reliability = reliability_of(estimate, member)
        return self.answer(
            {
                "figures": figures_of(study, [member])[0],
                "labels": label_shares(study, member, label_names(study)),
                "error_rates": reliability.error_rates if reliability else None,
                "estimated_labels": estimate.labels if estimate else [],
                "flags": flags_of(member),
                "changes": record.changes,
                "exclusions": record.exclusions,
                "qualifications": record.qualifications,
            }
        )


class OnePerson(PersonEndpoint):
    """One person."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(PersonShown)
    def get(self, request: Request, pseudonym: str) -> Response:
        """Tell how somebody works, and what was done about it."""
        return self.shown(self.member(pseudonym))


class PersonVotes(PersonEndpoint):
    """The votes behind somebody's figures."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(PersonVote, is_page=True, query=PersonVotesQuery)
    def get(self, request: Request, pseudonym: str) -> Response:
        """List somebody's votes, newest first, without those that are hidden from you."""
        member, asked = self.member(pseudonym), self.query
        hidden = hidden_posts(self.access)
        return self.page(rows_of(member, asked["show"], asked["label"], hidden), ("-pk",))


class PersonSkips(PersonEndpoint):
    """The posts that somebody skipped."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(PersonSkip, is_page=True, query=PageQuery)
    def get(self, request: Request, pseudonym: str) -> Response:
        """List the posts that somebody skipped; not those that were harmful to them."""
        skipped = skipped_by(self.member(pseudonym))
        return self.page(skipped.exclude(task__post__in=hidden_posts(self.access)), ("-pk",))


class PersonStanding(PersonEndpoint):
    """Whether somebody may work."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(PersonShown, sends=NewStanding, refusals={StandingRefused: CONFLICT})
    def post(self, request: Request, pseudonym: str) -> Response:
        """Pause somebody, or let them go on."""
        member, by = self.member(pseudonym), self.access.user
        change_standing(by=by, member=member, stage=StageCode.CROWD, **self.sent)
        return self.shown(member)


class PersonRequalify(PersonEndpoint):
    """Another test before somebody goes on."""

    needs = {"POST": Permission.MANAGE_DATA}

    @operation(
        PersonShown,
        sends=Why,
        example={"reason": "Half of the last checks were wrong."},
        refusals={PrescreeningRefused: CONFLICT, StandingRefused: CONFLICT},
    )
    def post(self, request: Request, pseudonym: str) -> Response:
        """Take somebody's qualification back, so that they take a test before they go on."""
        member = self.member(pseudonym)
        requalify(by=self.access.user, member=member, **self.sent)
        return self.shown(member)


class PersonDismiss(PersonEndpoint):
    """The end of somebody's work."""

    needs = {"GET": Permission.MANAGE_DATA, "POST": Permission.MANAGE_DATA}

    @operation(DismissForecast)
    def get(self, request: Request, pseudonym: str) -> Response:
        """Tell what dismissing somebody would change now."""
        return self.answer(exclusion_of(self.member(pseudonym)))

    @operation(PersonShown, sends=Why, refusals={StandingRefused: CONFLICT})
    def post(self, request: Request, pseudonym: str) -> Response:
        """Take somebody's votes out for good; open batches ask for them anew."""
        member, by = self.member(pseudonym), self.access.user
        kind = ExclusionKind.DISMISSED
        exclude(by=by, member=member, stage=StageCode.CROWD, kind=kind, **self.sent)
        return self.shown(member)


class CrowdEstimate(StudyEndpoint):
    """How reliable people are, and how likely each label is, after Dawid and Skene."""

    needs = {"GET": Permission.SEE_RESULTS, "POST": Permission.MANAGE_DATA}

    @operation(EstimateShown)
    def get(self, request: Request) -> Response:
        """Return the newest estimate."""
        estimate = newest_estimate(self.access.study)
        if estimate is None:
            raise Http404(_("Nothing has been estimated yet."))
        return self.answer(estimate)

    @operation(JobRow, code=201)
    def post(self, request: Request) -> Response:
        """Start an estimate; the answer is its job."""
        return self.answer(start_estimate(by=self.access.user, study=self.access.study))

"""What came of the crowd's and the researchers' votes: agreement, labels, people."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.pages import PageQuery
from annotation.models import StageCode
from annotation.queries.agreement import stage_agreement
from annotation.queries.counts import RoundsDiffer, rounds_of
from annotation.queries.progress import annotators_of
from crowd.queries.agreement import alpha_in_words, gold_agreement
from crowd.queries.gold import gold_figures, labels_of, open_to
from crowd.queries.labels import gold_codes, label_names
from crowd.queries.rounds import distribution

ORDERS = {"-votes": ("-vote_count", "pk"), "votes": ("vote_count", "pk"), "pseudonym": ("pk",)}


class RoundQuery(serializers.Serializer):
    """One round, or all of them."""

    batch = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class Alpha(serializers.Serializer):
    """Krippendorff's nominal alpha with a bootstrap interval, or the reason why it is undefined."""

    alpha = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    words = serializers.CharField(help_text="What the alpha means.")
    reason = serializers.CharField()


class CrowdAlpha(Alpha):
    """Agreement of the crowd, and what it rests on."""

    posts = serializers.IntegerField(allow_null=True)
    votes = serializers.IntegerField(allow_null=True)
    people = serializers.IntegerField(allow_null=True)
    labels = serializers.ListField(child=serializers.CharField())


class LabelCount(serializers.Serializer):
    """How often a label was chosen, and for how many posts it has most votes."""

    code = serializers.CharField()
    name = serializers.CharField()
    votes = serializers.IntegerField()
    majorities = serializers.IntegerField()


class Labels(serializers.Serializer):
    """How the votes lie; `ties` are posts where labels share the first place."""

    labels = LabelCount(many=True)
    votes = serializers.IntegerField()
    posts = serializers.IntegerField()
    ties = serializers.IntegerField()


class GoldOutcome(serializers.Serializer):
    """How many posts have a gold label; an empty one waits for a second researcher."""

    label = serializers.CharField(allow_blank=True)
    posts = serializers.IntegerField()


class GoldAlpha(Alpha):
    """Agreement of the researchers on the posts whose labels you may see."""

    share = serializers.FloatField(allow_null=True, help_text="The plain share of equal pairs.")
    posts = serializers.IntegerField()
    outcomes = GoldOutcome(many=True)


class PersonQuery(PageQuery):
    """In which order."""

    order = serializers.ChoiceField(default="-votes", choices=[(name, name) for name in ORDERS])


class Person(serializers.Serializer):
    """Somebody who voted with the crowd."""

    pseudonym = serializers.CharField()
    votes = serializers.IntegerField(source="vote_count")
    mean_seconds = serializers.FloatField(allow_null=True)


class CrowdAgreement(StudyEndpoint):
    """How far the crowd agrees."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(CrowdAlpha, query=RoundQuery)
    def get(self, request: Request) -> Response:
        """Return the crowd's agreement, or the reason why it is undefined."""
        found = stage_agreement(self.access.study, StageCode.CROWD, self.query.get("batch"))
        return self.answer(
            {
                "alpha": found.alpha,
                "interval": found.interval,
                "words": alpha_in_words(found.alpha),
                "reason": found.reason,
                "posts": found.posts,
                "votes": found.votes,
                "people": found.people,
                "labels": found.labels,
            }
        )


class CrowdLabels(StudyEndpoint):
    """What the crowd chose."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(Labels, query=RoundQuery, refusals={RoundsDiffer: CONFLICT})
    def get(self, request: Request) -> Response:
        """Count votes and majorities by label."""
        study = self.access.study
        rounds = rounds_of(study, StageCode.CROWD, self.query.get("batch"))
        return self.answer(distribution(rounds, label_names(study)))


class CrowdPeople(StudyEndpoint):
    """Who voted with the crowd."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(Person, is_page=True, query=PersonQuery)
    def get(self, request: Request) -> Response:
        """List the people who voted, by pseudonym."""
        people: Any = annotators_of(self.access.study, StageCode.CROWD)
        return self.page(people, ORDERS[self.query["order"]])


class GoldAgreement(StudyEndpoint):
    """How far researchers agree."""

    needs = {"GET": Permission.LABEL_GOLD}

    @operation(GoldAlpha)
    def get(self, request: Request) -> Response:
        """Return the agreement on the gold posts that you labelled, and on closed batches."""
        codes = gold_codes(self.access.study)
        figures = gold_figures(labels_of(open_to(self.access.member, self.access.study)), codes)
        found = gold_agreement(figures.patterns)
        return self.answer(
            {
                "alpha": found.alpha,
                "interval": found.interval,
                "words": alpha_in_words(found.alpha),
                "reason": found.reason,
                "share": found.share,
                "posts": figures.posts,
                "outcomes": [
                    {"label": code, "posts": figures.by_outcome.get(code, 0)}
                    for code in (*codes, "")
                ],
            }
        )

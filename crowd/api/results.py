"""What came of the crowd's and the researchers' votes: agreement and labels."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import CONFLICT, StudyEndpoint, operation
from annotation.api.pages import RoundQuery
from annotation.models import Member, StageCode
from annotation.queries.agreement import alpha_in_words, stage_agreement
from annotation.queries.counts import RoundsDiffer, rounds_of
from annotation.queries.pairs import pairs_of, posts_of_pair
from crowd.queries.agreement import gold_agreement
from crowd.queries.gold import gold_figures, labels_of, open_to
from crowd.queries.labels import gold_codes, label_names
from crowd.queries.reports import reported_posts
from crowd.queries.rounds import distribution, hidden_posts


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


class PairRow(serializers.Serializer):
    """Two people: on how many posts both voted, and on how many of them alike."""

    one = serializers.CharField(source="one.pseudonym")
    other = serializers.CharField(source="other.pseudonym")
    posts = serializers.IntegerField()
    same = serializers.IntegerField()
    share = serializers.FloatField()


class PairPost(serializers.Serializer):
    """A post on which both voted."""

    post = serializers.CharField(source="external_id")
    first = serializers.CharField()
    second = serializers.CharField()


class ReportedPost(serializers.Serializer):
    """A post, and how many people skipped it for which reason."""

    post = serializers.CharField(source="external_id")
    is_graphic = serializers.BooleanField()
    harmful = serializers.IntegerField()
    not_shown = serializers.IntegerField()
    not_sure = serializers.IntegerField()
    language = serializers.IntegerField()


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


class CrowdReports(StudyEndpoint):
    """The posts that people passed on."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(ReportedPost, is_page=True)
    def get(self, request: Request) -> Response:
        """List the posts that somebody skipped, those that harmed somebody first."""
        return self.page(reported_posts(self.access.study), ("-harmful", "pk"))


class CrowdPairs(StudyEndpoint):
    """How far each two people agree."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(PairRow, query=RoundQuery, is_list=True, refusals={RoundsDiffer: CONFLICT})
    def get(self, request: Request) -> Response:
        """List all pairs of people with a post in common, those that agree least first."""
        number = self.query.get("batch")
        return self.answer(pairs_of(rounds_of(self.access.study, StageCode.CROWD, number)))


class CrowdPair(StudyEndpoint):
    """The posts on which two people voted."""

    needs = {"GET": Permission.SEE_RESULTS}

    @operation(PairPost, is_page=True, refusals={RoundsDiffer: CONFLICT})
    def get(self, request: Request, pseudonym: str, other: str) -> Response:
        """List the posts on which two people voted, without those that are hidden from you."""
        people = Member.objects.all()
        two = [of_study(people, self.access, pseudonym=name) for name in (pseudonym, other)]
        posts = posts_of_pair(rounds_of(self.access.study, StageCode.CROWD), *two)
        return self.page(posts.exclude(pk__in=hidden_posts(self.access)))


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

"""The human ceiling: each expert against the verdict, and against the others alone."""

import csv
import io
import json
import re
import statistics
from collections import Counter, defaultdict
from html import unescape
from pathlib import Path
from random import Random

import pytest
from django.urls import reverse
from sklearn.metrics import f1_score

from annotation.access import Access, Permission
from annotation.models import Vote
from annotation.services import importing as posts_importing
from infra.jobs import no_report
from legal.queries.ceiling import human_ceiling, judged_posts
from legal.services.adjudication import decide
from legal.services.importing import import_legal_votes
from legal.services.settings import change_settings
from tests.api import caller
from tests.cast import add_posts, upload
from tests.legal.test_real_import import MAP, SOURCE, as_csv
from tests.legal.world import answering, experts, legal_batch
from tests.queries import queries_for

pytestmark = pytest.mark.django_db

YS = {"no": 0, "unclear": 1, "yes": 2}


def bring_in(study, votes):
    lines = ["id,annotator,misinformation"]
    lines += [f"{post},{name},{label}" for post, said in votes.items() for name, label in said]
    file = upload(study, "\n".join(lines), kind="legal_votes")
    import_legal_votes(by=None, file=file, report=no_report)


def random_votes(posts, people, seed):
    random = Random(seed)
    return {
        f"p{post}": [
            (name, random.choices(list(YS), [6, 2, 3])[0])
            for name in random.sample(people, random.choice([1, 2, 3, 3, 3]))
        ]
        for post in range(1, posts + 1)
    }


def verdict_of(labels):
    """Return the majority's label without our code; Unclear where first places are shared."""
    ordered = Counter(labels).most_common()
    if len(ordered) > 1 and ordered[0][1] == ordered[1][1]:
        return "unclear"
    return ordered[0][0]


def counted_by_hand(votes):
    """Return for each name (own, verdict) and (own, the others') pairs of y."""
    against_verdict, against_others = defaultdict(list), defaultdict(list)
    for said in votes.values():
        for place, (name, own) in enumerate(said):
            rest = [label for at, (_name, label) in enumerate(said) if at != place]
            truth = verdict_of([label for _name, label in said])
            against_verdict[name].append((YS[truth], YS[own]))
            if rest:
                against_others[name].append((YS[verdict_of(rest)], YS[own]))
    return against_verdict, against_others


def by_sklearn(pairs):
    truth, given = zip(*pairs, strict=True)

    def of(positive):
        return f1_score([y in positive for y in truth], [y in positive for y in given])

    return of({2}), (of({2}) + of({1})) / 2, of({1, 2})


def figures(found):
    return (found.bin_f1, found.ma_f1, found.mi_f1)


def spreads(level):
    return [
        (one.mean, one.deviation, one.number) for one in (level.bin_f1, level.ma_f1, level.mi_f1)
    ]


def url(name, study, *more):
    return reverse(name, args=[study.slug, *more])


def page(response):
    assert response.status_code == 200
    return unescape(re.sub(r"\s+", " ", response.content.decode()))


@pytest.fixture
def voted(cast):
    votes = random_votes(160, ["a", "b", "c", "d"], seed=5)
    add_posts(cast.study, 160)
    bring_in(cast.study, votes)
    return votes


def test_scores_are_those_of_an_independent_count(voted, cast):
    found = human_ceiling(cast.study)
    by_hand = counted_by_hand(voted)
    assert found.least == 50 and len(found.experts) == 4
    for one in found.experts:
        name = one.member.imported_name
        for mine, pairs in zip(
            (one.scores.verdict, one.scores.others), (side[name] for side in by_hand), strict=True
        ):
            assert mine.posts == len(pairs)
            assert figures(mine) == pytest.approx(by_sklearn(pairs), abs=1e-12)
        assert one.is_counted == (len(by_hand[0][name]) > 50)
    for level, side in ((found.verdict, by_hand[0]), (found.others, by_hand[1])):
        counted = [by_sklearn(side[name]) for name in "abcd" if len(by_hand[0][name]) > 50]
        assert spreads(level) == [
            (pytest.approx(statistics.mean(of)), pytest.approx(statistics.stdev(of)), len(counted))
            for of in zip(*counted, strict=True)
        ]


def test_without_their_own_vote_experts_do_worse(voted, cast):
    found = human_ceiling(cast.study)
    assert found.others.mi_f1.mean < found.verdict.mi_f1.mean


def test_just_fifty_votes_are_too_few_unless_the_study_says_otherwise(cast):
    add_posts(cast.study, 51)
    votes = {f"p{n}": [("a", "yes"), ("b", "yes"), ("c", "no")] for n in range(1, 51)}
    bring_in(cast.study, votes)
    assert human_ceiling(cast.study).counted == 0
    assert human_ceiling(cast.study).verdict.bin_f1.mean is None
    bring_in(cast.study, {"p51": [("a", "yes")]})
    assert [one.member.imported_name for one in human_ceiling(cast.study).experts if one.is_counted]
    assert human_ceiling(cast.study).counted == 1
    change_settings(by=cast.owner, study=cast.study, ceiling_votes=10)
    assert human_ceiling(cast.study).counted == 3


def test_posts_that_want_votes_do_not_enter(cast):
    legal_batch(cast.study, 2)
    for member in experts(cast.study, 3):
        answering(member, label="yes")
    answering(cast.expert, label="no")
    found = human_ceiling(cast.study)
    assert [one.scores.verdict.posts for one in found.experts] == [1, 1, 1]
    assert cast.expert not in [one.member for one in found.experts]


def test_a_decision_goes_before_both_majorities(cast):
    batch = legal_batch(cast.study, 1)
    people = experts(cast.study, 3)
    for member, label in zip(people, ("yes", "yes", "no"), strict=True):
        answering(member, label=label)
    decided(cast, batch.tasks.get().post)
    access = Access(study=cast.study, member=cast.owner, user=cast.owner.user)
    ((_post, judged),) = judged_posts(access, people[0])
    assert (judged.own, judged.verdict, judged.others) == ("yes", "unclear", "unclear")


def decided(cast, post):
    decide(by=cast.owner, post=post, label="unclear", issues=[], reason="Nobody can tell.")


def test_each_figure_opens_to_the_posts_that_make_it(voted, cast, sign_in):
    client = sign_in(cast.researcher)
    html = page(client.get(url("legal_experts", cast.study)))
    first = human_ceiling(cast.study).experts[0]
    assert f"{100 * first.scores.others.bin_f1:.1f}" in html and "±" in html
    address = url("legal_expert", cast.study, first.member.pseudonym)
    assert address in html
    shown = page(client.get(address))
    assert f"Bin-F1 {100 * first.scores.verdict.bin_f1:.1f}" in shown
    name = first.member.imported_name
    met = Counter(counted_by_hand(voted)[1][name])
    cell = page(client.get(f"{address}?own=yes&others=no"))
    assert f"of {met[0, 2]}" in cell or cell.count('data-label="The others alone"') == met[0, 2]
    assert client.get(f"{address}?own=maybe").status_code == 404
    content = b"".join(
        client.get(url("legal_expert_file", cast.study, first.member.pseudonym)).streaming_content
    )
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    pairs = [(YS[row["others"]], YS[row["own"]]) for row in rows if row["others"]]
    assert Counter(pairs) == met and len(rows) == first.scores.verdict.posts


def test_a_study_without_a_complete_post_says_so(cast, sign_in):
    html = page(sign_in(cast.researcher).get(url("legal_experts", cast.study)))
    assert "No expert can be scored yet" in html


def test_where_nobody_else_voted_the_second_score_is_undefined(cast, sign_in):
    add_posts(cast.study, 2)
    bring_in(cast.study, {"p1": [("a", "yes")], "p2": [("a", "unclear")]})
    (one,) = human_ceiling(cast.study).experts
    assert figures(one.scores.verdict) == (1.0, 1.0, 1.0)
    assert figures(one.scores.others) == (None, None, None) and one.scores.others.posts == 0
    html = page(sign_in(cast.researcher).get(url("legal_experts", cast.study)))
    assert "undefined" in html


def test_an_expert_who_may_see_results_sees_no_post_before_their_own_vote(cast):
    legal_batch(cast.study, 1)
    people = experts(cast.study, 3)
    for member in people:
        answering(member, label="yes")
    cast.expert.permissions = [Permission.SEE_RESULTS]
    cast.expert.save()
    own = Access(study=cast.study, member=cast.expert, user=cast.expert.user)
    assert not Vote.objects.filter(member=cast.expert).exists()
    assert judged_posts(own, people[0]) == []


def test_programs_get_the_same(voted, cast):
    asked = caller(cast.researcher)
    answer = asked.get("legal_experts").json()
    found = human_ceiling(cast.study)
    assert answer["others"]["bin_f1"]["mean"] == found.others.bin_f1.mean
    assert [one["pseudonym"] for one in answer["experts"]] == [
        one.member.pseudonym for one in found.experts
    ]
    first = found.experts[0]
    lines = asked.get("legal_expert_posts", first.member.pseudonym).streaming_content
    rows = [json.loads(line) for line in b"".join(lines).splitlines()]
    assert len(rows) == first.scores.verdict.posts
    assert set(rows[0]) == {"post", "own", "verdict", "others"}
    assert asked.get("legal_expert_posts", "nobody").status_code == 404


def test_the_pages_cost_the_same_with_more_rows(cast, sign_in):
    add_posts(cast.study, 40)
    client = sign_in(cast.researcher)
    bring_in(cast.study, random_votes(10, ["a", "b", "c"], seed=1))
    expert = cast.study.members.get(imported_name="a").pseudonym
    asked = [url("legal_experts", cast.study), url("legal_expert", cast.study, expert)]
    few = [queries_for(client, address) for address in asked]
    more = {f"p{n}": [(name, "yes") for name in "abcde"] for n in range(11, 41)}
    bring_in(cast.study, more)
    assert [queries_for(client, address) for address in asked] == few


@pytest.mark.skipif(not Path(SOURCE).exists(), reason="the real data is not beside the repository")
def test_on_the_real_interim_set_single_votes_are_their_own_verdict(cast):
    real = [json.loads(line) for line in SOURCE.read_text(encoding="utf-8").splitlines()]
    file = upload(cast.study, SOURCE.read_bytes(), name=SOURCE.name)
    posts_importing.import_posts(by=None, file=file, report=no_report)
    file = upload(cast.study, as_csv(real), "legal_votes", options={"issue_map": MAP})
    import_legal_votes(by=None, file=file, report=no_report)
    votes = Counter(post["expert"] for post in real if post["expert_legality"])
    found = human_ceiling(cast.study)
    mine = {one.member.imported_name: one.scores.verdict.posts for one in found.experts}
    assert mine == votes and found.counted == sum(number > 50 for number in votes.values())
    # One vote a post: against the verdict everybody is perfect, which is why the second row exists.
    assert found.verdict.mi_f1.mean == 1.0 and found.verdict.mi_f1.deviation in (0.0, None)
    assert found.others.mi_f1.mean is None

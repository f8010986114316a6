"""The scan finds e-mail addresses, ids of platforms and mentions, and leaves the rest alone."""

import time

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.cleaning import mask_users, mentions_user
from annotation.models import Member, Role
from crowd.models import Arrival, Recruit, RecruitmentKind
from crowd.services.recruitment import create_recruitment
from releases.queries.known_ids import known_ids
from releases.scan import EMAIL, FIRST, MENTION, PLATFORM_ID, Finding, KnownIds, Scan
from tests.cast import make_cast

PROLIFIC, TURK = "5f8d04b3e4b0c2a1d4f3e2b1", "A2SUAM7YOCN7B3"

WORDS = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
SURROUNDINGS = st.sampled_from(
    ["{}", "({})", "<{}>", "“{}”", "write: {}.", "{}...", "é {}, ж", "\n{}\n"]
)


def found(text, known=()):
    scan = Scan(KnownIds.of(known))
    scan.look("votes", pl.DataFrame({"comment": [text]}))
    return {finding.kind for finding in scan.findings}


@pytest.mark.parametrize(
    "text",
    [
        "write to a.b+c@host.example",
        "(a@b.org)",
        "<a@b.org>",
        "mailto:a@b.org?subject=x",
        "a@b.org.",
        "a@b.org...",
        "jörg@münchen.example",
        "почта@пример.рф",
        "a@xn--e1afmkfd.xn--p1ai",
        "https://site.example/?mail=a@b.org",
        "https://site.example/?mail=a%40b.org",
        "full width a＠b.org",
        '{"sentence": "see\\na@b.org"}',
    ],
)
def test_an_address_is_found(text):
    assert found(text) == {EMAIL}


@pytest.mark.parametrize(
    "text",
    [
        "@",
        "a@b",
        "a @ b.org",
        "a@.org",
        "a@b..org",
        "a@b.c",
        "package@1.2.3",
        "https://site.example/logo@2x.png",
        "https://photos.example/12345@N00/67",
        "https://social.example/@name@server.example",
        "https://maps.example/@45.5,-73.6,12z",
        "<user> said so",
        "50 % 40.org",
    ],
)
def test_what_only_looks_like_an_address_is_left_alone(text):
    assert found(text) == set()


@given(WORDS, WORDS, WORDS, SURROUNDINGS)
def test_any_address_is_found_in_any_surroundings(name, host, more, around):
    address = f"{name}.{more}@{host}.example"
    assert EMAIL in found(around.format(address))
    assert EMAIL not in found(around.format(address.replace("@", " at ")))


@pytest.mark.parametrize(
    "text",
    [
        PROLIFIC,
        f"worker {PROLIFIC}.",
        f"https://survey.example/?PROLIFIC_PID={PROLIFIC}&x=1",
        TURK,
        f"id={TURK},",
        f"https://survey.example/?workerId={TURK}",
        f'{{"sentence": "as\\n{TURK} said"}}',
    ],
)
def test_an_id_of_a_platform_is_found(text):
    assert found(text) == {PLATFORM_ID}


@pytest.mark.parametrize(
    "text",
    [
        "1361234567890123456",
        "123456789012345678901234",
        PROLIFIC[:-1],
        PROLIFIC + "0",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        f"https://news.example/articles/{PROLIFIC}",
        f"https://news.example/entry/title_n_{PROLIFIC}",
        "ABSOLUTELYNOTHING",
        "a-ABCDE2345678",
        "a-5f8d04b3e4b0",
    ],
)
def test_post_ids_hashes_words_and_pseudonyms_are_no_ids_of_people(text):
    assert found(text) == set()


@given(st.text("0123456789abcdef", min_size=25, max_size=80))
def test_a_longer_hash_is_no_id_of_prolific(digits):
    assert found(digits) == set()


@pytest.mark.parametrize(
    "text", ["@name said", "RT @a_b:", "“@name”", "@name@server.example", "@名前"]
)
def test_a_mention_is_found(text):
    assert MENTION in found(text)


@pytest.mark.parametrize("text", ["https://site.example/@name", "<user>", "a @ b", "me@home", "@"])
def test_what_mentions_nobody_is_left_alone(text):
    assert found(text) == set()


@given(st.text("a é@＠./:\u200b_1\n"), st.sampled_from(["", "https://s.example/"]))
def test_cleaned_text_has_no_mention_and_the_scan_agrees_with_cleaning(text, before):
    text = before + text
    assert (MENTION in found(text)) == (mask_users(text) != text) == mentions_user(text)
    assert MENTION not in found(mask_users(text))


def test_ids_that_are_known_are_found_as_words_and_short_ones_as_whole_cells():
    known = ["ruth_smith", "w04", "4711", "900000001", "crowdy"]
    assert found("as ruth_smith said", known) == {PLATFORM_ID}
    assert found("(900000001)", known) == {PLATFORM_ID}
    assert found("w04", known) == {PLATFORM_ID} and found("crowdy", known) == {PLATFORM_ID}
    assert found(["x", "w04"], known) == {PLATFORM_ID}
    for text in ("ruth_smithson", "1900000001", "room w04", "4711", "a crowdy place", ["xw04"]):
        assert found(text, known) == set(), text


@given(st.from_regex(r"[a-z]{3,9}[._-][0-9]{3,6}", fullmatch=True), WORDS, SURROUNDINGS)
def test_any_distinct_known_id_is_found_and_no_longer_word_is(known, letters, around):
    assert found(around.format(known), [known]) == {PLATFORM_ID}
    assert found(around.format(letters + known), [known]) == set()


def test_findings_count_rows_over_all_blocks_and_name_the_first():
    scan = Scan()
    for start in (0, 4):
        posts = [f"p{start + number}" for number in range(4)]
        scan.look(
            "posts", pl.DataFrame({"post_id": posts, "text": ["a@b.org a@c.org"] * 4, "n": [1] * 4})
        )
    assert scan.findings == [Finding(EMAIL, "posts", "text", 8, ("p0", "p1", "p2", "p3", "p4"))]
    assert len(scan.findings[0].first) == FIRST


def test_a_table_without_posts_names_its_rows_by_number():
    scan = Scan()
    scan.look("evidence", pl.DataFrame({"title": [None, "fine"]}, schema={"title": pl.String}))
    scan.look("evidence", pl.DataFrame({"title": ["fine", "by @name"], "links": [["x"], None]}))
    assert scan.findings == [Finding(MENTION, "evidence", "title", 1, ("4",))]


def test_empty_blocks_and_tables_of_numbers_hold_nothing():
    scan = Scan(KnownIds.of(["w04"]))
    scan.look("votes", pl.DataFrame({"comment": []}, schema={"comment": pl.String}))
    scan.look("votes", pl.DataFrame({"version": [1, 2]}))
    scan.look(
        "votes", pl.DataFrame({"issues": [[None], []]}, schema={"issues": pl.List(pl.String)})
    )
    assert scan.findings == []


@pytest.mark.django_db
def test_a_study_knows_ids_of_platforms_sessions_and_imported_rounds_of_its_own(cast):
    other = make_cast("other")
    for study, worker, name in (
        (cast.study, cast.worker, "ruth.s"),
        (other.study, other.worker, "x"),
    ):
        way = create_recruitment(by=None, study=study, kind=RecruitmentKind.PANEL, name=name)
        sent = Recruit.objects.create(
            study=study, platform="panel", platform_id=f"pan-{name}-1", user=worker.user
        )
        Arrival.objects.create(
            recruitment=way, recruit=sent, user=worker.user, session_id=f"session-{name}-1"
        )
        Member.objects.create(study=study, imported_name=name, role=Role.EXPERT, pseudonym="P1")
    known = known_ids(cast.study)
    assert known.words == {"pan-ruth.s-1", "session-ruth.s-1", "ruth.s"}


def test_a_block_of_ten_thousand_rows_takes_less_than_half_a_second():
    rows = 10_000
    text = "A sentence of a usual length about what <user> said, see https://site.example/@name"
    posts = [str(10**18 + row) for row in range(rows)]
    block = pl.DataFrame({"post_id": posts, "text": [text] * rows})
    scan = Scan(KnownIds.of([f"5f8d04b3e4b0c2a1d4f3{number:04x}" for number in range(1000)]))
    began = time.process_time()
    scan.look("posts", block)
    assert scan.findings == [] and time.process_time() - began < 0.5

"""Expert answers from a file: recorded as they stand, refused in words, never half, never twice."""

import json

import pytest

from annotation.models import ImportState, Member, Origin, Vote
from annotation.services import checking
from infra.jobs import JobCancelled, JobRefused, no_report
from legal.models import Catalogue, Evidence, IssueAnswer, LegalAnswer
from legal.queries.verdicts import verdicts_of
from legal.services.importing import import_legal_votes
from tests.cast import add_posts, upload

pytestmark = pytest.mark.django_db

HEADER = "post_id,annotator,misinformation,issues,no_claim,defence,evidence,comment"
MAP = {"Criminal offense (Cyberbullying, Public Mischief)": ["cyberbullying", "public_mischief"]}


@pytest.fixture
def study(cast):
    add_posts(cast.study, 3)
    return cast.study


def load(study, *rows, header=HEADER, bad_rows="refuse", **options):
    text = "\n".join((header, *rows))
    file = upload(study, text, "legal_votes", bad_rows=bad_rows, options=options)
    return import_legal_votes(by=None, file=file, report=no_report)


def refusal(study, *rows, **more) -> str:
    with pytest.raises(JobRefused) as refused:
        load(study, *rows, **more)
    assert not Vote.objects.exists() and not study.batches.exists()
    assert not Catalogue.objects.exists()
    return str(refused.value)


def codes(answer) -> list[str]:
    return sorted(raised.issue.code for raised in answer.raised_issues)


def test_answers_become_a_round_of_their_own(study):
    found = load(
        study,
        "p1,e1,yes,Hate Speech;data_PRIVACY,,,https://a.example/;http://b.example/x,seen",
        "p2,e2,no,,x,,,",
        "p3,e1,Unclear,,0,TRUE,,",
    )
    assert {name: found[name] for name in ("votes", "posts", "people", "unanswered", "bad")} == {
        "votes": 3,
        "posts": 3,
        "people": 2,
        "unanswered": 0,
        "bad": 0,
    }
    batch = study.batches.get()
    assert (batch.origin, batch.votes_wanted, batch.legal_round.catalogue.version) == (
        Origin.IMPORTED,
        None,
        1,
    )
    first = LegalAnswer.objects.get(vote__task__post__external_id="p1")
    assert codes(first) == ["data_privacy", "hate_speech"]
    assert [one.url for one in first.evidence.all()] == ["https://a.example/", "http://b.example/x"]
    assert first.comment == "seen" and not first.no_claim
    assert LegalAnswer.objects.get(vote__label="no").no_claim
    assert LegalAnswer.objects.get(vote__label="unclear").defence
    people = Member.objects.filter(study=study, user=None)
    assert {member.imported_name for member in people} == {"e1", "e2"}
    assert all(member.pseudonym.startswith("e-") for member in people)


def test_contradictions_are_recorded_as_they_stand(study):
    load(study, "p1,e1,yes,,yes,yes,,", "p2,e1,no,Defamation,,1,,")
    verdicts = verdicts_of(study, study.posts.values_list("pk", flat=True))
    by_id = {study.posts.get(pk=pk).external_id: verdict for pk, verdict in verdicts.items()}
    assert (by_id["p1"].y, by_id["p1"].issues, by_id["p1"].no_claim) == (2, (), True)
    assert (by_id["p2"].y, by_id["p2"].issues, by_id["p2"].defence) == (0, ("defamation",), True)
    assert all(verdict.is_complete for verdict in verdicts.values())


def test_an_unanswered_row_is_counted_apart_and_is_not_bad(study):
    found = load(study, "p1,e1,,,,,,", "p2,e1,no,,,,,")
    assert (found["votes"], found["unanswered"], found["bad"]) == (1, 1, 0)
    assert "nothing to import" in refusal_after(study, "p3,e1,,,,,,")


def refusal_after(study, *rows):
    with pytest.raises(JobRefused) as refused:
        load(study, *rows)
    return str(refused.value)


def test_a_repeat_by_the_same_person_is_a_new_version(study):
    found = load(study, "p1,e1,yes,Defamation,,,,", "p1,e1,no,,,,,", "p1,e2,no,,,,,")
    assert found["votes"] == 3
    assert sorted(Vote.objects.values_list("version", flat=True)) == [1, 1, 2]
    (verdict,) = verdicts_of(study, study.posts.values_list("pk", flat=True)).values()
    assert (verdict.y, verdict.voters, verdict.issues) == (0, 2, ())


def test_names_the_catalogue_does_not_know_are_all_listed_with_how_often(study):
    sentence = refusal(
        study,
        "p1,e1,yes,Securities Law;Defamation,,,,",
        "p2,e1,yes,Securities Law,,,,",
        'p3,e1,yes,"Criminal offense (Cyberbullying, Public Mischief)",,,,',
    )
    assert "“Securities Law” (2×, first on line 2)" in sentence
    assert "“Criminal offense (Cyberbullying, Public Mischief)” (1×, first on line 4)" in sentence
    assert "Defamation”" not in sentence and "public_mischief" in sentence


@pytest.mark.parametrize(
    "mapping",
    [
        MAP | {"Securities Law": []},
        json.dumps(MAP | {"securities law": None}),
        f"{next(iter(MAP))} → cyberbullying, Public Mischief\n\nSecurities Law ->",
    ],
)
def test_a_mapping_settles_names_for_one_code_several_or_none(study, mapping):
    found = load(
        study,
        "p1,e1,yes,Securities Law,,,,",
        'p2,e1,yes,"Criminal offense (Cyberbullying, Public Mischief)",,,,',
        issue_map=mapping,
    )
    assert found["left_out_issues"] == {"Securities Law": 1}
    found = {
        answer.vote.task.post.external_id: codes(answer) for answer in LegalAnswer.objects.all()
    }
    assert found == {"p1": [], "p2": ["cyberbullying", "public_mischief"]}


def test_a_mapping_goes_before_the_catalogues_own_names(study):
    load(study, "p1,e1,yes,Defamation,,,,", issue_map={"defamation": "hate_speech"})
    assert codes(LegalAnswer.objects.get()) == ["hate_speech"]


@pytest.mark.parametrize(
    ("mapping", "sentence"),
    [
        ({"x": "securities"}, "no issue of the catalogue"),
        ({"x": 3}, "must be a code, a list of codes"),
        ("just words", "has no arrow"),
        ("{broken", "not readable as JSON"),
    ],
)
def test_a_bad_mapping_is_refused_with_a_sentence(study, mapping, sentence):
    assert sentence in refusal(study, "p1,e1,no,,,,,", issue_map=mapping)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("nope,e1,yes,,,,,", "no post nope"),
        (",e1,yes,,,,,", "id is missing"),
        ("p1,,yes,,,,,", "annotator is missing"),
        ("p1,e1,perhaps,,,,,", "“perhaps” does not answer"),
        ("p1,e1,2,,,,,", "write yes, no or unclear"),
        ("p1,e1,yes,,sometimes,,,", "no mark for no_claim"),
        ("p1,e1,yes,,,,garbage,", "“garbage”, is not a web address"),
        ("p1,e1,yes,,,,javascript:alert(1),", "is not a web address"),
        ("p1,e1,yes,,,,https://a.example/; file:///etc/passwd,", "“file:///etc/passwd”"),
        ("p1,e1,yes,,,,https://a.example/;www.b.example,", "“www.b.example”"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_imported(study, row, sentence):
    found = refusal(study, "p2,e1,no,,,,,", row)
    assert "Line 3" in found and sentence in found


def test_the_good_rows_go_in_when_the_person_wants_them(study):
    found = load(study, "p2,e1,no,,,,,", "p1,e1,perhaps,,,,,", bad_rows="skip")
    assert (found["votes"], found["bad"]) == (1, 1)


def test_json_lines_keep_lists_marks_and_times(study):
    rows = [
        {
            "post_id": "p1",
            "annotator": "e1",
            "misinformation": True,
            "issues": ["Defamation", "Hate; Speech"],
            "no_claim": False,
            "evidence": ["https://a.example/x;y"],
            "comment": "two\nlines; and “more”",
            "seconds": 12.5,
            "time": "2024-05-31T14:02:00Z",
        }
    ]
    file = upload(
        study,
        "\n".join(map(json.dumps, rows)),
        "legal_votes",
        name="answers.jsonl",
    )
    import_legal_votes(by=None, file=file, report=no_report)
    answer = LegalAnswer.objects.get()
    assert codes(answer) == ["defamation", "hate_speech"]
    assert answer.evidence.get().url == "https://a.example/x;y"
    assert answer.comment == "two\nlines; and “more”"
    assert (answer.vote.label, answer.vote.seconds) == ("yes", 12.5)
    assert f"{answer.vote.created_at:%Y-%m-%d %H:%M}" == "2024-05-31 14:02"


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("seconds", "soon", "no number of seconds"),
        ("seconds", "nan", "no number of seconds"),
        ("seconds", "-1", "no number of seconds"),
        ("time", "yesterday", "is no time"),
        ("time", "2024-13-45T99:00:00Z", "is no time"),
    ],
)
def test_bad_seconds_and_times_are_bad_rows(study, column, value, sentence):
    header = f"post_id,annotator,misinformation,{column}"
    assert sentence in refusal(study, f"p1,e1,no,{value}", header=header)


def test_the_same_file_twice_counts_once(study):
    load(study, "p1,e1,no,,,,,")
    assert "imported already" in refusal_after(study, "p1,e1,no,,,,,")
    assert Vote.objects.count() == 1


def test_a_job_that_comes_twice_gives_the_same_report(study):
    file = upload(study, f"{HEADER}\np1,e1,no,,,,,", "legal_votes")
    first = import_legal_votes(by=None, file=file, report=no_report)
    again = import_legal_votes(by=None, file=file, report=no_report)
    assert file.state == ImportState.LOADED
    assert again["votes"] == first["votes"] == Vote.objects.count() == 1


def test_a_cancelled_import_leaves_nothing_behind(study):
    def cancelled(done, total, message=""):
        raise JobCancelled

    file = upload(study, f"{HEADER}\np1,e1,no,,,,,", "legal_votes")
    with pytest.raises(JobCancelled):
        import_legal_votes(by=None, file=file, report=cancelled)
    for model in (Vote, LegalAnswer, IssueAnswer, Evidence, Catalogue):
        assert not model.objects.exists()
    assert not Member.objects.filter(user=None).exists()


def test_a_dry_run_shows_rows_and_writes_nothing(study):
    file = upload(study, f"{HEADER}\np1,e1,no,Odd Law,,,,\np2,e1,maybe,,,,,", "legal_votes")
    checking.check_file(file=file, report=no_report)
    assert (file.report["good"], file.report["bad"]) == (1, 1)
    assert file.report["samples"][0]["issues"] == "Odd Law"
    assert not Vote.objects.exists()


def test_many_rows_come_in_blocks(cast, monkeypatch):
    from legal.services import importing

    monkeypatch.setattr(importing, "BLOCK", 3)
    add_posts(cast.study, 10)
    rows = [f"p{n},e{n % 4},yes,Defamation,,,https://a.example/{n}," for n in range(1, 11)]
    found = load(cast.study, *rows)
    assert found["votes"] == 10 == Evidence.objects.count()
    positions = list(cast.study.batches.get().tasks.values_list("position", flat=True))
    assert positions == list(range(1, 11))

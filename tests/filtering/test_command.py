"""manage.py run_filter: facts as JSON, and one sentence when it cannot."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch, StageCode
from filtering.models import FilterRun

pytestmark = pytest.mark.django_db


def run_filter(*words):
    out = io.StringIO()
    call_command("run_filter", *words, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_it_prints_what_each_trial_and_round_did(cast, voted, tiny):
    found = run_filter("rumours", "--k=12", "--trials=2", "--seed=7", f"--encoder={tiny}")
    run = FilterRun.objects.get()
    assert (found["number"], found["posts"], found["kept"]) == (1, 30, run.kept_count)
    assert [trial["kept"] for trial in found["trials"]] == [t.kept_count for t in run.trials.all()]
    for trial in found["trials"]:
        assert trial["stop_reason"] == "would_fall_below_k"
        assert trial["rounds"][0]["size"] == 30 and not trial["rounds"][-1]["removed"]
    assert found["before"]["posts"] == 30 and found["after"]["posts"] == run.kept_count
    assert not Batch.objects.filter(stage=StageCode.LEGAL).exists()


def test_it_can_give_the_kept_posts_to_the_experts(cast, voted, tiny):
    found = run_filter("rumours", "--k=12", "--trials=1", f"--encoder={tiny}", "--promote")
    assert Batch.objects.get(stage=StageCode.LEGAL).number == found["legal_batch"] == 1


def test_it_previews_without_a_run_that_could_be_given_on(cast, voted, tiny):
    words = ("rumours", "--k=12", "--trials=2", "--seed=7", f"--encoder={tiny}")
    seen = run_filter(*words, "--preview")
    told = next(one for one in seen["previews"] if one["k"] == seen["previewed_k"] == 12)
    done = run_filter(*words)
    assert (told["kept"], done["previewed_k"]) == (done["kept"], None)
    with pytest.raises(CommandError, match="not allowed with"):
        run_filter(*words, "--preview", "--promote")


def test_it_warns_as_the_page_does(cast, voted, tiny):
    found = run_filter("rumours", "--k=30", "--trials=1", f"--encoder={tiny}")
    assert "No trial removes anything" in found["warnings"][0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere"], "no study called “nowhere”"),
        (["rumours"], "fewer than k = 1000"),
        (["rumours", "--k=5", "--round=7"], "no crowd round 7"),
        (["rumours", "--k=5", "--encoder=/nowhere"], "no encoder in the folder"),
    ],
)
def test_it_says_in_one_sentence_why_it_cannot(cast, voted, words, sentence):
    with pytest.raises(CommandError, match=sentence):
        run_filter(*words)

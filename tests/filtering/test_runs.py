"""Filter runs: what they store, what they refuse, and that nothing of them changes later."""

import pytest
from django.db import transaction

from annotation.models import JobState, Post, Tally
from annotation.services.jobs import cancel_job, retry_job, run_job, run_next
from filtering.models import FilteredPost, FilterRun, Round, Trial, TrialPost
from filtering.queries.runs import deciding_run, kept_marks, outcome, post_ids
from filtering.queries.voted_posts import voted_posts
from filtering.services import encoding, filtering
from filtering.services.runs import FilterRefused, start_run, trial_seeds
from tests.filtering.rounds import CLEAR, add_round

pytestmark = pytest.mark.django_db


def test_a_run_stores_trials_rounds_and_posts_that_fit_each_other(run_to_end, voted):
    run = run_to_end()
    assert run.job.state == JobState.SUCCEEDED, run.job.reason
    assert run.is_finished and run.post_count == 30
    assert set(run.posts.values_list("post_id", flat=True)) == {post.pk for post in voted}
    assert run.kept_count == len(post_ids(run, kept=True))
    for trial in run.trials.all():
        rounds = list(trial.rounds.all())
        assert trial.kept_count >= run.k
        assert rounds[0].size == 30 and not rounds[-1].removed
        assert trial.posts.filter(left_in=0).count() == trial.kept_count
        for one in trial.posts.all():
            assert len(one.scores) == (one.left_in or len(rounds))
            left = [r.number for r in rounds[: len(one.scores)] if r.removed]
            above = [n for n in left if one.scores[n - 1] > rounds[n - 1].threshold]
            assert above == ([one.left_in] if one.left_in else [])
    for post in run.posts.all():
        stayed = TrialPost.objects.filter(trial__run=run, post=post.post_id, left_in=0).count()
        assert post.kept_in == stayed and post.kept == (stayed == 2)


def test_what_is_not_chosen_is_the_protocols(cast, voted):
    protocol = cast.study.protocol
    protocol.filter_k, protocol.encoder, protocol.encoder_revision = 10, "some/encoder", "abc"
    run = start_run(by=None, study=cast.study)
    assert (run.k, run.trial_count) == (10, 3)
    assert (run.encoder, run.encoder_revision, run.pooling) == ("some/encoder", "abc", "first")
    assert run.seed >= 0 and run.settings["target"] == "counts"


def test_another_encoder_does_not_get_the_protocols_revision(cast, voted):
    cast.study.protocol.encoder_revision = "abc"
    assert start_run(by=None, study=cast.study, k=5, encoder="x/y").encoder_revision == ""


def test_the_revision_that_was_really_used_is_written_down(run_to_end):
    assert run_to_end().encoder_revision.startswith("sha256:")


def test_the_same_seed_gives_the_same_result_and_another_seed_other_trials(run_to_end):
    first, second, other = run_to_end(), run_to_end(), run_to_end(seed=8)
    assert outcome(first)["trials"] == outcome(second)["trials"]
    assert losses_of(first) == losses_of(second) != losses_of(other)
    assert [second.number, other.number] == [2, 3]
    assert set(trial_seeds(first)).isdisjoint(trial_seeds(other))


def losses_of(run):
    rows = TrialPost.objects.filter(trial__run=run).order_by("trial__number", "post")
    return list(rows.values_list("trial__number", "post", "scores"))


def test_a_post_may_be_kept_by_fewer_than_all_trials(run_to_end):
    every, most = run_to_end(trials=3), run_to_end(trials=3, at_least=2)
    assert losses_of(every) == losses_of(most)
    assert most.kept_count == most.posts.filter(kept_in__gte=2).count() >= every.kept_count
    assert set(post_ids(every, kept=True)) <= set(post_ids(most, kept=True))


def test_how_classifiers_are_trained_can_be_chosen_and_is_kept(run_to_end):
    run = run_to_end(settings={"epochs": 3, "direction": "reverse"})
    assert (run.settings["epochs"], run.settings["direction"]) == (3, "reverse")
    assert run.is_finished


@pytest.mark.parametrize(
    ("method", "settings", "kept"),
    [
        ("majority", {"share": 0.9}, 20),
        ("random", {}, 12),
        ("aflite", {"classifiers": 4, "slice_size": 5, "tau": 0.5}, None),
    ],
)
def test_what_the_filter_is_compared_with_runs_alike(run_to_end, method, settings, kept):
    run = run_to_end(method=method, settings=settings, trials=1)
    assert run.job.state == JobState.SUCCEEDED, run.job.reason
    assert run.kept_count == (kept or run.kept_count) and run.previews == []
    assert run.k == (None if method == "majority" else 12)


def test_a_run_tells_how_far_people_agree_before_and_after_and_on_what_left(run_to_end):
    run = run_to_end(method="majority", settings={"share": 0.9}, trials=1)
    before, after, left = (run.shift[name] for name in ("before", "after", "left"))
    assert (before["posts"], after["posts"], left["posts"]) == (30, 20, 10)
    assert (after["unanimous"], left["unanimous"]) == (1.0, 0.0)
    assert after["alpha"] is None and before["alpha"] is not None and before["interval"]


def test_a_run_tells_what_each_greater_k_would_have_kept(run_to_end):
    low = run_to_end(k=3)
    assert [one["k"] for one in low.previews] == sorted({one["k"] for one in low.previews})
    assert low.previews[0]["k"] == 3 and low.previews[0]["kept"] == low.kept_count
    for told in low.previews[1:]:
        assert run_to_end(k=told["k"]).kept_count == told["kept"]


def test_all_trials_see_the_votes_that_were_there_when_the_run_began(cast, voted, tiny):
    run = start_run(by=None, study=cast.study, k=12, trials=2, seed=7, encoder=str(tiny))
    run_job(job_id=run.job_id)
    add_round(cast.study, voted[:1], [CLEAR])
    finish(run)
    assert run.posts.get(post=voted[0]).counts == [1, 1, 1]


def finish(run):
    while run_next(job=run.job):
        pass
    run.refresh_from_db()


def test_texts_are_encoded_in_parts_each_once(cast, voted, tiny, monkeypatch):
    monkeypatch.setattr(encoding, "PART", 12)
    Post.objects.filter(pk=voted[1].pk).update(text=Post.objects.get(pk=voted[0].pk).text)
    run = start_run(by=None, study=cast.study, k=12, trials=1, seed=7, encoder=str(tiny))
    run_job(job_id=run.job_id)
    parts = run.job.parts.filter(kind="encode_posts").order_by("pk")
    assert [len(part.parameters["posts"]) for part in parts] == [12, 12, 5]
    finish(run)
    assert run.is_finished
    again = start_run(by=None, study=cast.study, k=12, trials=1, seed=7, encoder=str(tiny))
    run_job(job_id=again.job_id)
    assert [part.kind for part in again.job.parts.all()] == ["filter_trial"]


def test_dropped_posts_and_posts_without_votes_stay_out(cast, run_to_end, voted):
    Post.objects.filter(pk=voted[0].pk).update(dropped_reason="empty_after_cleaning")
    run = run_to_end()
    assert run.post_count == voted_posts(cast.study).count() == 29
    assert not run.posts.filter(post=voted[0]).exists()


def test_tallies_of_nothing_are_no_votes(cast, run_to_end, voted):
    Tally.objects.filter(post=voted[0]).update(count=0)
    assert run_to_end().post_count == voted_posts(cast.study).count() == 29


def test_no_votes_and_too_few_posts_are_refused_with_a_sentence(cast, voted):
    with pytest.raises(FilterRefused, match=r"Only 30 posts .* fewer than k = 31"):
        start_run(by=None, study=cast.study, k=31)
    Tally.objects.all().delete()
    with pytest.raises(FilterRefused, match="No post has crowd votes"):
        start_run(by=None, study=cast.study, k=1)
    assert not FilterRun.objects.exists()


@pytest.mark.parametrize(
    "chosen",
    [
        {"k": 0},
        {"trials": 0},
        {"trials": 21},
        {"round_number": 9},
        {"at_least": 0},
        {"at_least": 4},
        {"settings": {"epochs": 0}},
        {"settings": {"learning_rate": float("nan")}},
        {"settings": {"target": "nothing"}},
        {"settings": {"tau": 0.5}},
        {"method": "guessing"},
    ],
)
def test_senseless_settings_are_refused(cast, voted, chosen):
    with pytest.raises(FilterRefused):
        start_run(by=None, study=cast.study, **({"k": 5} | chosen))


def test_votes_that_went_away_before_the_job_ran_fail_it_with_a_sentence(cast, voted, tiny):
    run = start_run(by=None, study=cast.study, k=5, encoder=str(tiny))
    Tally.objects.all().delete()
    job = run_job(job_id=run.job_id)
    assert job.state == JobState.FAILED and "No post has crowd votes" in job.reason


def test_an_encoder_that_is_not_there_fails_the_job_with_a_sentence(run_to_end, tmp_path):
    run = run_to_end(encoder=str(tmp_path))
    assert (
        run.job.state == JobState.FAILED and "There is no encoder in the folder" in run.job.reason
    )
    assert not run.is_finished


def test_rounds_with_other_labels_need_a_choice(cast, voted, run_to_end):
    add_round(cast.study, voted[:20], [(2, 3)] * 20, labels=("0", "1"))
    with pytest.raises(FilterRefused, match="different label sets"):
        start_run(by=None, study=cast.study, k=5)
    run = run_to_end(round_number=2, k=5)
    assert (run.labels, run.post_count, run.round_number) == (["0", "1"], 20, 2)


def test_two_rounds_with_the_same_labels_are_added_up(cast, voted, run_to_end):
    add_round(cast.study, voted[:1], [CLEAR])
    assert run_to_end().posts.get(post=voted[0]).counts == [1, 1, 4]


def test_a_run_that_is_cancelled_half_way_decides_nothing_and_goes_on_where_it_was(
    cast, voted, tiny
):
    run = start_run(by=None, study=cast.study, k=12, trials=2, seed=7, encoder=str(tiny))
    while not Trial.objects.exists():
        assert run_next(job=run.job)
    assert cancel_job(job=run.job).state == JobState.CANCELLED
    assert not run_next(job=run.job)
    assert not FilteredPost.objects.filter(kept__isnull=False).exists()
    first = list(TrialPost.objects.values_list("post", "scores"))
    retry_job(by=None, job=run.job)
    finish(run)
    assert run.is_finished and Trial.objects.count() == 2
    assert list(TrialPost.objects.filter(trial__number=1).values_list("post", "scores")) == first


def test_a_failure_while_concluding_decides_nothing(cast, voted, run_to_end, monkeypatch):
    monkeypatch.setattr(filtering, "shift_of", lambda *_: 1 / 0)
    run = run_to_end()
    assert run.job.state == JobState.FAILED and not run.is_finished
    assert not FilteredPost.objects.filter(kept__isnull=False).exists()
    monkeypatch.undo()
    retry_job(by=None, job=run.job)
    finish(run)
    assert run.is_finished and Trial.objects.count() == 2


def test_doing_a_finished_run_again_changes_nothing(run_to_end):
    run = run_to_end()
    before = run.finished_at
    assert filtering.run_filter(run=run, report=lambda *_: None)["kept"] == run.kept_count
    run.refresh_from_db()
    assert run.finished_at == before and run.trials.count() == 2


def test_progress_of_a_trial_never_goes_back_and_stays_within_its_total(cast, voted, tiny):
    run = start_run(by=None, study=cast.study, k=12, trials=1, seed=7, encoder=str(tiny))
    while not run.job.parts.filter(kind="filter_trial").exists():
        assert run_next(job=run.job)
    told = []
    trial = run.job.parts.get(kind="filter_trial")
    run_job(job_id=trial.pk, listener=lambda done, total, message: told.append((done, total)))
    done = [step for step, _total in told]
    assert done == sorted(done) and {total for _step, total in told} == {1000}
    assert 0 < done[-1] <= 1000


def test_a_queued_run_can_be_cancelled(cast, voted):
    run = start_run(by=None, study=cast.study, k=5)
    assert cancel_job(job=run.job).state == JobState.CANCELLED
    assert run_job(job_id=run.job_id) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda run: FilterRun.objects.update(kept_count=1),
        lambda run: FilterRun.objects.all().delete(),
        lambda run: Trial.objects.update(kept_count=1),
        lambda run: Round.objects.update(threshold=1),
        lambda run: Round.objects.all().delete(),
        lambda run: FilteredPost.objects.update(kept=True),
        lambda run: TrialPost.objects.update(left_in=0),
        lambda run: TrialPost.objects.all().delete(),
        lambda run: FilteredPost.objects.all().delete(),
    ],
)
def test_nothing_of_a_finished_run_can_be_changed(run_to_end, change):
    run = run_to_end()
    with pytest.raises(Exception, match=r"Cannot (update|delete)|protected"), transaction.atomic():
        change(run)


def test_the_newest_finished_run_decides(cast, run_to_end, tmp_path):
    assert deciding_run(cast.study) is None
    first, second = run_to_end(), run_to_end(seed=8)
    run_to_end(encoder=str(tmp_path))
    assert deciding_run(cast.study) == second != first


def test_marks_tell_kept_from_left_and_say_nothing_of_others(cast, run_to_end, voted):
    run = run_to_end()
    other = Post.objects.exclude(pk__in=[post.pk for post in voted]).get()
    marks = kept_marks(run, [post.pk for post in voted] + [other.pk])
    assert sum(marks.values()) == run.kept_count and len(marks) == 30
    assert other.pk not in marks and kept_marks(None, [other.pk]) == {}

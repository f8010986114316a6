"""Flags stand beside a release: for a fault, and by themselves once somebody in it withdraws."""

import pytest
from django.db import transaction
from django.urls import reverse

from annotation.models import Role
from annotation.services.assignments import next_task
from annotation.services.batches import move_batch
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_batch
from crowd.services.consent import withdraw
from releases.models import FlagKind, ReleaseFlag
from releases.services import making
from releases.services.flags import FlagRefused, flag_fault, flag_withdrawals
from tests.cast import add_posts, join
from tests.releases.ways import make, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def leaver(cast):
    add_posts(cast.study, 2)
    batch = create_batch(by=None, study=cast.study, external_ids=["p1"])
    move_batch(by=None, batch=batch, to="open")
    leaver = join(cast.study, "leaver", Role.CROWD_WORKER)
    for member in (leaver, cast.worker):
        held = next_task(by=member, stage="crowd").assignment
        submit_vote(by=member, assignment_id=held.pk, answer=Answer("no_claim", 5.0, 1))
    return leaver


def shown(sign_in, cast, release):
    url = reverse("release", args=[cast.study.slug, release.number])
    return sign_in(cast.researcher).get(url).content.decode()


def test_a_withdrawal_flags_the_releases_that_hold_the_person_and_no_other(cast, leaver, sign_in):
    without = make(cast.study, stages=("legal",))
    holding = make(cast.study)
    before = {row["annotator"] for row in rows(holding, "votes")}
    assert flag_withdrawals() == 0
    withdraw(by=leaver)
    assert flag_withdrawals() == 1 and flag_withdrawals() == 0
    flag = ReleaseFlag.objects.get()
    assert (flag.release, flag.kind, flag.member) == (holding, FlagKind.WITHDRAWN, leaver)
    later = make(cast.study)
    assert flag_withdrawals() == 0
    (gone,) = before - {row["annotator"] for row in rows(later, "votes")}
    assert f"leave the rows of {gone} out" in shown(sign_in, cast, holding)
    for release in (without, later):
        assert "withdrew" not in shown(sign_in, cast, release)
    assert {row["annotator"] for row in rows(holding, "votes")} == before


def test_who_withdraws_without_a_vote_in_it_flags_no_release(cast, leaver):
    make(cast.study)
    withdraw(by=join(cast.study, "idle", Role.CROWD_WORKER))
    assert flag_withdrawals() == 0


def test_a_fault_is_told_above_the_release_with_who_found_it(cast, leaver, sign_in):
    release = make(cast.study)
    assert "not in the files" not in shown(sign_in, cast, release)
    url = reverse("release_flag", args=[cast.study.slug, release.number])
    sign_in(cast.researcher).post(url, {"reason": "Texts of <b>one</b> file are cut."})
    text = shown(sign_in, cast, release)
    assert "The flags above are not in the files" in text
    assert "A fault was found" in text and "&lt;b&gt;one&lt;/b&gt;" in text
    assert cast.researcher.user.get_full_name() in text
    listed = sign_in(cast.researcher).get(reverse("releases", args=[cast.study.slug]))
    assert "Flagged" in listed.content.decode()


def test_a_flag_without_a_reason_is_refused_and_one_that_is_set_stays(cast, leaver):
    release = make(cast.study)
    with pytest.raises(FlagRefused, match="what is wrong"):
        flag_fault(by=cast.owner.user, release=release, reason="  ")
    flag = flag_fault(by=cast.owner.user, release=release, reason="Wrong.")
    for change in (flag.delete, lambda: ReleaseFlag.objects.update(reason="Nothing.")):
        with pytest.raises(Exception, match=r"Cannot (update|delete)"), transaction.atomic():
            change()


def test_who_withdraws_while_a_release_is_being_made_flags_it(cast, leaver, monkeypatch):
    publish = making.publish

    def after_a_withdrawal(**made):
        withdraw(by=leaver)
        return publish(**made)

    monkeypatch.setattr(making, "publish", after_a_withdrawal)
    release = make(cast.study)
    assert flag_withdrawals() == 1
    assert ReleaseFlag.objects.get().release == release

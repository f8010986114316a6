"""An archived study refuses every write that its pages and its API take, with a sentence."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from annotation.models import Study, StudyState
from tests.house import fingerprint
from tests.permissions import TABLE, Row
from tests.test_permissions import ask, client_of, who_may
from tests.world import Worlds, build_worlds

ARCHIVED = re.compile("archived|has ended|takes nobody in|no longer held")

OWED = ("pay_", "earnings_", "api_pay_", "api_earnings_")
# Who may look, what people are owed and what they may claim, and what ends something.
STILL_POSSIBLE = {
    "study_archive": "takes it out again",
    "api_study_archive": "takes it out again",
    "study_clone": "makes another study",
    "members": "whom the study is open to",
    "member": "whom the study is open to",
    "member_password": "belongs to the person",
    "api_members": "whom the study is open to",
    "api_member": "whom the study is open to",
    "job_cancel": "ends something",
    "webhook_move": "only a pause or an end gets through",
    "api_webhook": "only a pause or an end gets through",
    "api_job_cancel": "ends something",
    "api_work_next": "hands nothing out, and completes the sitting",
    "work_leave": "ends something",
    "api_work_leave": "ends something",
    "work_return_code": "belongs to the person",
    "work_withdraw": "a right of people",
    "api_work_withdraw": "a right of people",
    "recruitment_platform": "only a pause gets through",
}
WRITES = [
    row
    for row in TABLE
    if row.in_study
    and row.method != "GET"
    and row.name not in STILL_POSSIBLE
    and not row.name.startswith(OWED)
]


@pytest.fixture(scope="module")
def worlds(django_db_setup: None, django_db_blocker: Any) -> Iterator[Worlds]:
    """Build both studies once; everything goes with the transaction around the module."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield build_worlds()
        transaction.set_rollback(True)


def asked(row: Row, worlds: Worlds) -> tuple[str, bool]:
    """Ask as somebody who may; return what they read, and whether a row changed."""
    seen = {}
    before = fingerprint()
    with transaction.atomic():
        arguments = row.arguments(worlds.here)
        client = client_of(worlds.person(who_may(row)))
        answer = ask_and_look(client, row, arguments, seen)
        if answer.status_code == 302:
            answer = client.get(answer["Location"])
        transaction.set_rollback(True)
    return answer.content.decode(), seen["after"] != before


def ask_and_look(client: Any, row: Row, arguments: list[Any], seen: dict[str, Any]) -> Any:
    """Ask, and look at the rows before `ask` undoes what was done."""
    rollback = transaction.set_rollback

    def look(value: bool) -> None:
        seen["after"] = fingerprint()
        rollback(value)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.test_permissions.transaction.set_rollback", look)
        return ask(client, row, arguments)


@pytest.mark.django_db
@pytest.mark.parametrize("row", WRITES, ids=str)
def test_what_writes_in_an_open_study_is_refused_in_an_archived_one(row, worlds):
    _words, writes = asked(row, worlds)
    with transaction.atomic():
        Study.objects.filter(pk=worlds.here.cast.study.pk).update(state=StudyState.ARCHIVED)
        words, wrote = asked(row, worlds)
        transaction.set_rollback(True)
    assert not wrote
    assert ARCHIVED.search(words) or not writes, words


def test_every_exception_is_an_address():
    assert set(STILL_POSSIBLE) <= {row.name for row in TABLE}

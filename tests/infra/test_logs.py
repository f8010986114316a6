"""The log has a line for a refusal, and a traceback only for what nobody expected."""

import logging
import sys

import pytest
from django.core.exceptions import PermissionDenied

from annotation.services.archive import StudyArchived


@pytest.mark.parametrize(
    ("error", "has_traceback"),
    [(PermissionDenied("no"), False), (StudyArchived("no"), False), (ValueError("no"), True)],
)
def test_only_what_nobody_expected_has_a_traceback(caplog, error, has_traceback):
    try:
        raise error
    except type(error):
        found = sys.exc_info()
    logging.getLogger("django.request").warning("Refused: %s", "/x/", exc_info=found)
    (record,) = caplog.records
    assert record.getMessage() == "Refused: /x/"
    assert bool(record.exc_info) == has_traceback

"""What the log says of a request: a refusal that people read as a sentence is one line there."""

import logging

from django.core.exceptions import PermissionDenied


class ShortRefusals(logging.Filter):
    """Leaves the traceback out of a refusal; what nobody expected keeps its own."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the line, without where the refusal was raised."""
        if record.exc_info and isinstance(record.exc_info[1], PermissionDenied):
            record.exc_info = None
        return True

"""How an outbound request can end without an answer; every message is a sentence for a person.

Nothing here knows a language: an error carries its English template and its values, `str()` is
the English sentence, and whoever shows it translates the template first.
"""

from collections.abc import Mapping


class OutboundError(Exception):
    """No answer was had."""

    def __init__(self, template: str, values: Mapping[str, object] | None = None) -> None:
        super().__init__(template, values)
        self.template = template
        self.values = values or {}

    def __str__(self) -> str:
        return self.template % self.values


class OutboundRefused(OutboundError):
    """The request was never sent, or its answer was not taken: it would have broken a rule."""


class OutboundFailed(OutboundError):
    """The request was allowed, but the other side or the network did not do its part."""


class AllowanceInvalid(OutboundError, ValueError):
    """An entry of the allow-list that cannot be understood."""


def gettext_noop(template: str) -> str:
    """Mark a template for translation."""
    return template

"""Why an encoder cannot be had; each says what to do about it."""

from collections.abc import Mapping


class EncoderError(Exception):
    """Carries an English template and its values, so that it can be told in any language."""

    def __init__(self, template: str, values: Mapping[str, object]) -> None:
        super().__init__(template, values)
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return self.template % self.values


class EncoderMissing(EncoderError):
    """The weights are not on this machine and could not be fetched."""


class EncoderUnusable(EncoderError):
    """The weights are there, but nothing sound can be made with them."""


def gettext_noop(template: str) -> str:
    """Mark a template for translation."""
    return template

"""What is wrong with a catalogue, as a sentence that a service can translate."""


def gettext_noop(text: str) -> str:
    """Mark a sentence for translation; the service translates it."""
    return text


class CatalogueFault(ValueError):
    """What is wrong with a catalogue: a sentence with blanks, and what stands in them."""

    def __init__(self, template: str, **details: object) -> None:
        super().__init__(template % details)
        self.template, self.details = template, details

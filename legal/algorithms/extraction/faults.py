"""Why the text of a file cannot be had; each says what to do about it."""

MOST_CHARACTERS = 5_000_000


class Unreadable(Exception):
    """Carries an English template and its values, so that it can be told in any language."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template, values)
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return self.template % self.values


def gettext_noop(template: str) -> str:
    """Mark a template for translation."""
    return template


def refuse_long(characters: int) -> None:
    """Refuse more text than a document may have."""
    if characters > MOST_CHARACTERS:
        raise Unreadable(
            gettext_noop(
                "The file has more than %(most)s characters of text. Split it into parts, and "
                "upload those."
            ),
            most=f"{MOST_CHARACTERS:,}",
        )

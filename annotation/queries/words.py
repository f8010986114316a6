"""The words in which pages show what stands in records as a code."""

from django.utils.translation import gettext_lazy as _

THINGS = {
    "id": _("Id of the post"),
    "text": _("Text"),
    "annotator": _("Annotator"),
    "label": _("Label"),
    "seconds": _("Seconds"),
    "time": _("Time"),
    "misinformation": _("Misinformation?"),
    "issues": _("Legal issues"),
    "no_claim": _("No claim"),
    "defence": _("Defence"),
    "evidence": _("Evidence"),
    "comment": _("Comment"),
}
"""What a column may hold (the names of `annotation.tables.NAMES`), in words."""

STEPS = {
    "mask_users": _("masking user mentions"),
    "drop_non_ascii": _("dropping characters outside ASCII"),
    "fold_to_ascii": _("folding letters to ASCII"),
    "tidy_whitespace": _("tidying blanks"),
}
"""The steps of `annotation.cleaning`."""

FIGURES = {
    "good": _("Good rows"),
    "bad": _("Bad rows"),
    "warned": _("Rows to look at"),
    "added": _("Posts added"),
    "kept": _("Kept"),
    "shortened": _("Kept, but less than half of the characters"),
    "dropped": _("Dropped"),
    "known": _("Known before"),
    "posts": _("Posts"),
    "votes": _("Votes"),
    "people": _("People"),
    "corrections": _("Corrections"),
    "without_counts": _("Without counts"),
    "unanswered": _("Unanswered"),
}
DELIMITERS = {
    ",": _("comma"),
    ";": _("semicolon"),
    "\t": _("tab"),
    "|": _("bar"),
}

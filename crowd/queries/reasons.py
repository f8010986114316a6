"""Why somebody gets no post now, in words: what the page and the API say.

The codes are the engine's; two more tell how a sitting ended.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

COMPLETE, LEFT = "complete", "left"


@dataclass(frozen=True)
class Reason:
    """A heading, what it means and what to do, and the picture beside it."""

    icon: str
    title: str | Promise
    sentence: str | Promise


OUT_FOR_GOOD = Reason(
    "box",
    _("Your work here has ended"),
    _("You get no more posts of this study. Thank you for your time."),
)

REASONS: Mapping[str, Reason] = {
    "done": Reason(
        "check",
        _("All done"),
        _(
            "You have seen every post that waits for votes. Thank you. When new posts come, they "
            "appear here."
        ),
    ),
    "no_sitting": Reason(
        "check",
        _("Ready when you are"),
        _("Posts come one after the other once you begin."),
    ),
    COMPLETE: Reason(
        "check",
        _("This sitting is complete"),
        _("That was all that was asked of you here. Thank you!"),
    ),
    LEFT: Reason(
        "check",
        _("You stopped early"),
        _(
            "Your votes are kept. Give your place back on the platform that sent you here, and "
            "write to the researchers about the pay for what you did."
        ),
    ),
    "limit": Reason(
        "check",
        _("You have reached your limit"),
        _(
            "This study takes only so many votes of one person, so that no single view weighs too "
            "much. Thank you."
        ),
    ),
    "daily_cap": Reason(
        "clock",
        _("Enough for today"),
        _(
            "This study asks for only so many posts a day of one person, to spare you long hours "
            "with upsetting ones. There is more tomorrow (by UTC)."
        ),
    ),
    "you_waiting": Reason(
        "clock",
        _("Waiting for approval"),
        _("A researcher looks at your answers first. Look again later."),
    ),
    "you_paused": Reason(
        "pause",
        _("Your work here is paused"),
        _(
            "A researcher wants to look at it first. What you have done is kept and paid; write to "
            "them if you think that this is a mistake."
        ),
    ),
    "you_dismissed": OUT_FOR_GOOD,
    "you_withdrawn": OUT_FOR_GOOD,
    "held": Reason(
        "clock",
        _("Others have the last posts in hand"),
        _("Some may come free again; look again later."),
    ),
    "paused": Reason(
        "pause",
        _("The work is paused"),
        _("The researchers have paused it; your votes are kept. Look again later."),
    ),
    "archived": Reason(
        "box",
        _("This study has ended"),
        _("No more votes are wanted. Thank you for your work."),
    ),
    "no_batch": Reason(
        "inbox",
        _("No post is waiting yet"),
        _("The researchers have not opened a batch of posts. Look again later."),
    ),
}

# In the gold pool whoever labels is a researcher, and may open a batch themselves.
GOLD_REASONS: Mapping[str, Reason] = {
    **REASONS,
    "no_batch": Reason(
        "inbox",
        _("No gold batch is open"),
        _("Open one on the page of the gold pool; then every researcher labels its posts."),
    ),
}

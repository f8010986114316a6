"""How an outbound request can end without an answer; every message is a sentence for a person."""


class OutboundError(Exception):
    """No answer was had. `str()` is a translated sentence that can be shown as it is."""


class OutboundRefused(OutboundError):  # noqa: N818 - it is an outcome, and reads as one
    """The request was never sent, or its answer was not taken: it would have broken a rule."""


class OutboundFailed(OutboundError):  # noqa: N818 - likewise
    """The request was allowed, but the other side or the network did not do its part."""

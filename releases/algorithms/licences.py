"""The licences that datasets are usually given under: how each is named elsewhere."""

HUGGING_FACE = {
    "CC0-1.0": "cc0-1.0",
    "CC-BY-4.0": "cc-by-4.0",
    "CC-BY-SA-4.0": "cc-by-sa-4.0",
    "CC-BY-NC-4.0": "cc-by-nc-4.0",
    "CC-BY-NC-SA-4.0": "cc-by-nc-sa-4.0",
    "CC-BY-ND-4.0": "cc-by-nd-4.0",
    "CC-BY-NC-ND-4.0": "cc-by-nc-nd-4.0",
    "ODbL-1.0": "odbl",
    "ODC-By-1.0": "odc-by",
    "PDDL-1.0": "pddl",
    "CDLA-Permissive-2.0": "cdla-permissive-2.0",
    "CDLA-Sharing-1.0": "cdla-sharing-1.0",
    "MIT": "mit",
    "Apache-2.0": "apache-2.0",
    "GPL-3.0-or-later": "gpl-3.0",
}
"""Identifiers of SPDX, with their names in a data card's header."""

BY_LOWER = {spdx.lower(): spdx for spdx in HUGGING_FACE}
NONE_STATED = "No licence is stated: ask the authors before you use or pass on the data."


def spdx_of(licence: str) -> str | None:
    """Return the SPDX identifier that is meant, in its spelling; None for other words."""
    return BY_LOWER.get(licence.strip().lower())


def address_of(licence: str) -> str:
    """Return where a licence can be read, or its words; a sentence where none is stated."""
    spdx = spdx_of(licence)
    return f"https://spdx.org/licenses/{spdx}" if spdx else licence.strip() or NONE_STATED

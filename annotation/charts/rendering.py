"""Draws charts in the style of the house: an SVG that a page may hold, and a PNG."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from annotation.charts.drawing import Drawing
from annotation.charts.palette import INK, LINE, PAPER, SERIES, SOFT

SVG = "http://www.w3.org/2000/svg"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The first one travels with vl-convert, so a machine without fonts draws text, too."""

PNG_SCALE = 3
DRAWN = {"svg", "g", "defs", "clipPath", "rect", "path", "line", "circle", "text", "tspan"}
KEPT_OUT = {"class", "style", "role", "pointer-events"}
REFERENCE = re.compile(r"url\(#([^)]+)\)")
TEXTS = {"labelColor": SOFT, "titleColor": INK, "labelFontSize": 11, "titleFontSize": 11.5}
HOUSE: dict[str, Any] = {
    "background": PAPER,
    "font": FONT,
    "aria": False,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        **TEXTS,
        "titleFontWeight": "normal",
        "titlePadding": 6,
        "gridColor": LINE,
        "domainColor": SOFT,
        "tickColor": SOFT,
        "labelLimit": 120,
    },
    "header": {"labelColor": INK, "labelFontSize": 11.5, "labelPadding": -8, "labelLimit": 300},
    "legend": {
        **TEXTS,
        "orient": "top",
        "direction": "horizontal",
        "columns": 4,
        "symbolStrokeWidth": 0,
        "labelLimit": 150,
    },
    "title": {
        "anchor": "start",
        "frame": "group",
        "color": SOFT,
        "fontSize": 11,
        "fontWeight": "normal",
    },
    "text": {"color": INK, "fontSize": 11},
    "range": {"category": list(SERIES)},
    "bar": {"color": SERIES[0]},
    "mark": {"color": SERIES[0]},
}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A drawn chart: the picture for pages and papers, and the same in dots."""

    svg: str
    png: bytes


def rendered(drawing: Drawing, *, label: str) -> Rendered:
    """Draw a chart; `label` is the beginning of all its ids, and unique on a page."""
    import vl_convert

    spec = drawing.picture.to_dict() | {"config": HOUSE}
    drawn = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return Rendered(
        svg=for_pages(drawn, label=label, title=drawing.title, alternative=drawing.alternative),
        png=vl_convert.svg_to_png(drawn, scale=PNG_SCALE),
    )


def for_pages(drawn: str, *, label: str, title: str, alternative: str) -> str:
    """Return a drawn SVG with its words, with ids of its own, and with nothing that could act.

    Raises ValueError for an element that is no drawing: a page would run or fetch it.
    """
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(drawn)  # noqa: S314 -- our own renderer's
    for element in root.iter():
        if element.tag.removeprefix(f"{{{SVG}}}") not in DRAWN:
            raise ValueError(f"A chart holds no <{element.tag}>.")
        for name in list(element.attrib):
            if name in KEPT_OUT or name.startswith(("aria-", "on", "{")):
                del element.attrib[name]
            else:
                own = REFERENCE.sub(rf"url(#{label}-\1)", element.attrib[name])
                element.set(name, f"{label}-{own}" if name == "id" else own)
    root.set("role", "img")
    root.set("aria-labelledby", f"{label}-title {label}-words")
    for place, (name, words) in enumerate((("title", title), ("desc", alternative))):
        told = ElementTree.Element(f"{{{SVG}}}{name}", id=f"{label}-{'words' if place else name}")
        told.text = words
        root.insert(place, told)
    return ElementTree.tostring(root, encoding="unicode")

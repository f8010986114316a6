"""Drawn charts: safe inside a page, readable by all, in the colours of the house."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings

from annotation.charts import PALETTE, rendered
from annotation.charts.rendering import SVG, for_pages
from tests.annotation.charts.sample import HOSTILE, PICTURES, drawing

CSS = Path(settings.BASE_DIR, "static/css/chart.css").read_text()
COLOUR = re.compile(r'(?:fill|stroke)="([^"]+)"')


@pytest.fixture(scope="module", params=PICTURES, ids=lambda picture: picture.__name__)
def picture(request):
    return rendered(drawing(request.param), label="chart-a")


def elements(svg):
    return list(ElementTree.fromstring(svg).iter())


def test_a_picture_holds_nothing_that_acts_or_fetches_or_is_styled(picture):
    for element in elements(picture.svg):
        tag = element.tag.removeprefix(f"{{{SVG}}}")
        assert tag not in {"script", "style", "image", "a", "use", "foreignObject"}
        for name in element.attrib:
            assert name not in {"style", "class", "href"} and not name.startswith(("on", "{"))
    assert "<script" not in picture.svg and "http" not in picture.svg.replace(SVG, "")


def test_a_picture_has_a_name_and_says_in_words_what_it_shows(picture):
    root = ElementTree.fromstring(picture.svg)
    assert root.get("role") == "img"
    named = {one.get("id"): one.text for one in root if one.get("id")}
    title, words = root.get("aria-labelledby").split()
    assert (named[title], named[words]) == (HOSTILE, f"In words: {HOSTILE}")


def test_ids_are_a_pictures_own_and_what_refers_to_them_does_so_still():
    drawn = f"""<svg xmlns="{SVG}"><defs><clipPath id="c"><rect/></clipPath></defs>
        <g clip-path="url(#c)"><path/></g></svg>"""
    for label in ("chart-a", "chart-b"):
        svg = for_pages(drawn, label=label, title="", alternative="")
        ids = re.findall(r' id="([^"]+)"', svg)
        assert len(set(ids)) == len(ids) == 3 and all(one.startswith(f"{label}-") for one in ids)
        assert f"url(#{label}-c)" in svg


@pytest.mark.parametrize("bad", ["<script/>", "<image/>", "<style/>", "<a/>", "<foreignObject/>"])
def test_what_is_no_drawing_is_refused(bad):
    with pytest.raises(ValueError, match="A chart holds no"):
        for_pages(f'<svg xmlns="{SVG}">{bad}</svg>', label="a", title="", alternative="")


def test_attributes_that_act_or_lead_away_are_dropped():
    acts = 'onclick="a()" x:href="b" style="c" class="d"'
    drawn = f'<svg xmlns="{SVG}" xmlns:x="http://www.w3.org/1999/xlink"><g {acts} fill="e"/></svg>'
    svg = for_pages(drawn, label="a", title="", alternative="")
    assert '<g fill="e" />' in svg


def test_a_picture_has_colours_of_the_palette_alone(picture):
    assert set(COLOUR.findall(picture.svg)) - {"none", "transparent"} <= set(PALETTE.values())


def test_each_colour_of_the_palette_is_another_one_and_becomes_a_token_on_a_page():
    assert len(set(PALETTE.values())) == len(PALETTE)
    for colour in PALETTE.values():
        for kind in ("fill", "stroke"):
            assert re.search(rf'\[{kind}="{colour}"\] {{ {kind}: (var\(--|transparent)', CSS), (
                colour
            )
    assert set(re.findall(r'="(#\w+)"', CSS)) == set(PALETTE.values())


def test_text_is_drawn_in_the_font_that_comes_with_the_renderer(picture):
    fonts = set(re.findall(r'font-family="([^"]+)"', picture.svg))
    assert {font.split(",")[0] for font in fonts} == {"Liberation Sans"}


def test_the_dots_are_a_png_of_some_size(picture):
    assert picture.png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = (int.from_bytes(picture.png[at : at + 4]) for at in (16, 20))
    assert width > 500 and height > 100

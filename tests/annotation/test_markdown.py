"""Markdown becomes safe HTML: nothing runs, nothing is fetched from elsewhere."""

import pytest

from annotation.markdown import render_markdown


def test_headings_fit_below_the_page_and_keep_their_distance():
    html = render_markdown("# A\n\n## B\n\n###### C")
    assert html == "<h2>A</h2>\n<h3>B</h3>\n<h6>C</h6>\n"
    assert "<h4>A</h4>" in render_markdown("# A", 4)


def test_lists_tables_and_emphasis_are_kept():
    html = render_markdown("* **a**\n* _b_\n\n|x|y|\n|-|-|\n|1|2|\n\n~~c~~\n\n3. d")
    for part in (
        "<li><strong>a</strong></li>",
        "<em>b</em>",
        "<td>2</td>",
        "<s>c</s>",
        'start="3"',
    ):
        assert part in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](https://example.org/x.png)",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:msgbox)",
        "<javascript:alert(1)>",
        "<svg onload=alert(1)>",
        "<a href=javascript:alert(1)>x</a>",
        '[x](https://example.org/" onmouseover="alert(1))',
        "<style>*{}</style>",
        "`<script>`",
    ],
)
def test_nothing_runs_and_nothing_is_fetched(text):
    html = render_markdown(text)
    for tag in ("<script", "<img", "<svg", "<style", "<iframe"):
        assert tag not in html
    assert 'href="java' not in html.lower() and 'href="data' not in html
    assert (
        'href="vbs' not in html and " onmouseover=" not in html.replace("&quot;", '"').split(">")[0]
    )


def test_links_say_that_they_lead_elsewhere():
    html = render_markdown("[x](https://example.org)")
    assert html == '<p><a href="https://example.org" rel="noopener noreferrer nofollow">x</a></p>\n'

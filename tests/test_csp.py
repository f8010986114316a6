"""Every page carries the strict policy, and no template has inline script or style."""

import re
from pathlib import Path

import pytest
from django.conf import settings

TEMPLATES = sorted(Path(settings.BASE_DIR, "templates").rglob("*.html"))
INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)[^>]*>|<style\b|\sstyle=|\son[a-z]+=|href=[\"']javascript:", re.I
)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.name))
def test_no_template_has_inline_script_or_style(path):
    found = INLINE.search(path.read_text())
    assert not found, found and found.group()


@pytest.mark.django_db
def test_the_policy_allows_nothing_from_elsewhere_and_nothing_inline(client):
    policy = client.get("/accounts/login/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy and "style-src 'self'" in policy
    assert "unsafe" not in policy and "http" not in policy


def test_the_rule_sees_inline_script():
    assert INLINE.search('<p onclick="x()">') and INLINE.search("<script>x()</script>")
    assert not INLINE.search('<script type="module" src="x.js"></script>')

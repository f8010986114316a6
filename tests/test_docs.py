"""Every command, setting, permission and export column is documented, and every link leads on."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

from annotation.access import Permission
from annotation.api.problems import PROBLEMS
from config.environment import KNOWN
from releases.columns import TABLES
from releases.layout import DOCUMENTS, FORMS
from tests.test_api_schema import ENDPOINTS

ROOT = Path(settings.BASE_DIR)
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")])
EXAMPLES = sorted([*DOCS.rglob("*.ipynb"), *DOCS.rglob("*.yaml")])
OURS = {"annotation", "config", "crowd", "embeddings", "filtering", "infra", "legal", "releases"}
COMMANDS = {name: app for name, app in sorted(get_commands().items()) if app in OURS}
DJANGOS = {
    *("--help", "--version", "--settings", "--pythonpath", "--traceback", "--no-color"),
    *("--force-color", "--skip-checks", "--verbosity"),
}
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
MACHINE_PATH = re.compile(r"(?<![\w.:/}])/(?:home|root|work|tmp|Users|opt|var)/\S+")


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """Return what stands between a heading and the next one of its level."""
    _before, sign, after = text.partition(f"\n## {heading}\n")
    assert sign, f"no heading “{heading}”"
    return after.partition("\n## ")[0]


def options_of(name: str) -> set[str]:
    """Return a command's options of its own, the long spelling of each."""
    parser = load_command_class(COMMANDS[name], name).create_parser("manage.py", name)
    spellings = [action.option_strings for action in parser._actions if action.option_strings]
    return {max(names, key=len) for names in spellings} - DJANGOS


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_documented_with_each_of_its_options(name):
    found = section(read("commands.md"), name)
    missing = {option for option in options_of(name) if f"`{option}" not in found}
    assert not missing, f"docs/commands.md says nothing of {missing} under {name}"


def test_no_command_is_documented_that_is_not_there():
    headings = re.findall(r"^## (\w+)$", read("commands.md"), re.M)
    assert sorted(headings) == sorted(COMMANDS)


@pytest.mark.parametrize("name", [*KNOWN, "DATABASE_URL", "REDIS_URL", "SECRET_KEY"])
def test_a_setting_is_documented(name):
    assert f"`{name}`" in read("settings.md")


def test_no_setting_is_documented_that_is_not_there():
    assert set(re.findall(r"JURYROOM_[A-Z_]+", read("settings.md"))) <= set(KNOWN)


@pytest.mark.parametrize("permission", list(Permission))
def test_a_permission_is_documented(permission):
    assert f"| `{permission}` |" in read("permissions.md")


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_each_column_of_a_release_is_documented_with_its_type_and_meaning(table):
    _before, _sign, after = read("data-formats.md").partition(f"\n### The table {table.name}\n")
    found = re.findall(r"^\| `(.+)` \| (\w+) \| (.+) \|$", after.partition("\n### ")[0], re.M)
    assert found == [(one.name, one.type.value, one.help) for one in table.columns]


@pytest.mark.parametrize("name", [one.name for one in (*DOCUMENTS, *FORMS)])
def test_a_file_of_a_release_is_documented(name):
    assert f"`{name}" in read("data-formats.md")


def test_every_address_of_the_api_is_documented_with_its_methods_and_no_other():
    rows = re.findall(r"^\| `(\S+)` \| ([A-Z, ]+) \|", read("api.md"), re.M)
    documented = {address: set(methods.split(", ")) for address, methods in rows}
    found = {
        re.sub(r"<\w+:(\w+)>", r"{\1}", way.removeprefix("/api/v1/")): {
            method.upper() for method in ("get", "post", "patch") if hasattr(endpoint, method)
        }
        for way, endpoint in ENDPOINTS.items()
    }
    assert documented == found


def test_every_problem_of_the_api_is_documented():
    documented = re.findall(r"^\| (\d+) \| `/problems/(\w+)` \|", read("api.md"), re.M)
    assert [(int(code), word) for code, word in documented] == [
        (problem.status, problem.word) for problem in PROBLEMS.values()
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_that_are_there(page):
    targets = [target for target, _anchor in LINK.findall(page.read_text(encoding="utf-8"))]
    near = [
        target for target in targets if "://" not in target and not target.startswith("mailto:")
    ]
    assert [target for target in near if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", [*PAGES, *EXAMPLES], ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_names_a_place_on_somebodys_machine(page):
    assert MACHINE_PATH.findall(page.read_text(encoding="utf-8")) == []


def test_the_rules_see_what_they_are_for():
    assert MACHINE_PATH.search("see /home/ada/data.csv") and MACHINE_PATH.search("`/tmp/x`")
    assert MACHINE_PATH.search("/opt/python/bin") and MACHINE_PATH.search('"/var/lib/x"')
    assert not MACHINE_PATH.search("its log is in `var/log`")
    assert not MACHINE_PATH.search("https://example.org/home/page")
    assert LINK.findall("[a](b.md#c) and [d](e/f.md)") == [("b.md", "#c"), ("e/f.md", "")]
    assert section("\n## a\none\n## b\ntwo", "a") == "one"

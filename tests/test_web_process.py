"""A web process stays small and never loads the heavy libraries, whatever pages it has shown."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import httpx
import psutil
import pytest

from tests.cast import PASSWORD
from tests.running_site import Site, manage, new_environment, running_site

REQUESTS = 100
MOST_MEGABYTES = 185  # with the clients of Redis and of other websites
HEAVY = (
    *("torch", "transformers", "sklearn", "polars", "pyarrow", "altair", "vl_convert"),
    *("trafilatura", "warcio"),
)
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')

# Makes a study with one of everything, and prints each row of the permission table: a user name
# that may, the method, the address, the form, and a token where it is an endpoint of the API.
BUILD = """
import django, json
django.setup()
from django.urls import reverse
from annotation.services.tokens import make_token
from tests.permissions import MEMBERS, TABLE
from tests.world import build_world, hash_passwords_once
hash_passwords_once()
world = build_world(times=2)
tokens = {
    name: make_token(by=getattr(world.cast, name).user, name="a test")[1] for name in MEMBERS
}
print(json.dumps([
    [
        getattr(world.cast, name).user.username,
        row.method,
        reverse(row.name, args=row.arguments(world)),
        row.body,
        tokens[name] if row.is_api else "",
    ]
    for row in TABLE if row.in_study or row.is_api for name in MEMBERS
    if name in row.may and row.ok < 400
]))
"""

# Asks for everything inside this process, and prints which libraries that brought into it.
ASK = """
import django, json, sys
django.setup()
from django.db import transaction
from django.test import Client
from annotation.models import User
from config.wsgi import application
clients = {}
for name, method, address, form, token in json.loads(sys.argv[1]):
    if name not in clients:
        clients[name] = Client(headers={"host": "localhost"})
        clients[name].force_login(User.objects.get(username=name))
    with transaction.atomic():
        client = clients[name]
        if token:
            headers = {"Authorization": f"Bearer {token}"}
            sent = "" if method == "GET" else json.dumps(form)
            answer = client.generic(method, address, sent, "application/json", headers=headers)
        else:
            answer = client.get(address) if method == "GET" else client.post(address, form)
        assert answer.status_code in (200, 201, 302), (answer.status_code, address)
        transaction.set_rollback(True)
print(json.dumps(sorted({module.partition(".")[0] for module in sys.modules})))
"""


@dataclass
class Served:
    site: Site
    rows: list[tuple[str, str, str, dict[str, str], str]]

    @property
    def pages(self) -> list[tuple[str, str, str]]:
        return [
            (name, address, token)
            for name, method, address, _form, token in self.rows
            if method == "GET"
        ]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site without a worker, with a study in it."""
    with new_environment(tmp_path_factory.mktemp("site"), "web_process") as environment:
        manage(environment, "migrate", "--verbosity", "0")
        rows = json.loads(manage(environment, "-c", BUILD))
        with running_site(environment, "--no-worker") as site:
            yield Served(site, rows)


def sign_in(site: Site, name: str) -> httpx.Client:
    """Sign in through the form, as a browser does."""
    client = httpx.Client(base_url=site.url, timeout=20)
    token = TOKEN.search(client.get("/accounts/login/").text)
    assert token
    form = {"login": name, "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    answer = client.post("/accounts/login/", data=form, headers={"Referer": site.url})
    assert answer.status_code == 302, answer.text
    return client


def web_processes(site: Site) -> list[psutil.Process]:
    children = psutil.Process(site.process.pid).children(recursive=True)
    return [child for child in children if "granian" in " ".join(child.cmdline())]


@pytest.fixture(scope="module")
def used(served: Served) -> list[psutil.Process]:
    """Return the web processes after a hundred requests."""
    names = {name for name, _page, _token in served.pages}
    clients = {name: sign_in(served.site, name) for name in names}
    for name, address, token in islice(cycle(served.pages), REQUESTS):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = clients[name].get(address, headers=headers)
        assert answer.status_code in {200, 302}, address
    return web_processes(served.site)


def test_there_are_many_kinds_of_pages(served):
    assert len({page for _name, page, _token in served.pages}) > 40


def test_a_web_process_stays_small(used):
    megabytes = [process.memory_info().rss // 2**20 for process in used]
    assert len(used) == 2  # the server, and one process that answers
    assert max(megabytes) < MOST_MEGABYTES, f"megabytes of the web processes: {megabytes}"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a process has mapped")
def test_no_heavy_library_is_mapped_into_a_web_process(used):
    for process in used:
        mapped = Path(f"/proc/{process.pid}/maps").read_text()
        assert [name for name in HEAVY if f"/site-packages/{name}" in mapped] == []


def test_no_page_and_no_form_imports_a_heavy_library(served):
    done = manage(served.site.environment, "-c", ASK, json.dumps(served.rows))
    loaded = set(json.loads(done))
    assert "django" in loaded
    assert loaded.isdisjoint(HEAVY), loaded.intersection(HEAVY)

"""Programs that others write: a client generated from the description, and the notebook in docs."""

import importlib
import json
import subprocess
import sys
from types import ModuleType

import pytest
from django.conf import settings

from annotation.models import StageCode
from annotation.services.batches import move_batch
from annotation.services.tokens import make_token
from annotation.services.votes import Answer, submit_vote
from crowd.services.batches import create_batch
from legal.algorithms import ExpertAnswer
from legal.services.answers import submit_answer
from legal.services.batches import open_legal_batch
from tests.cast import add_posts, join
from tests.crowd.conftest import held_by
from tests.legal.world import LINK
from tests.serving import served

pytestmark = pytest.mark.django_db

PACKAGE = "juryroom_client"
DESCRIPTION = settings.BASE_DIR / "docs" / "openapi.yaml"
NOTEBOOK = settings.BASE_DIR / "docs" / "examples" / "results.ipynb"


@pytest.fixture(scope="session")
def generated(tmp_path_factory):
    """Generate a client out of the description in docs, once."""
    folder = tmp_path_factory.mktemp("client")
    config = folder / "config.yml"
    config.write_text(f"post_hooks: []\npackage_name_override: {PACKAGE}\n", encoding="utf-8")
    arguments = ["--path", DESCRIPTION, "--output-path", folder / PACKAGE, "--config", config]
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield lambda name: importlib.import_module(f"{PACKAGE}.{name}" if name else PACKAGE)
    sys.path.remove(str(folder))


@pytest.fixture
def site():
    with served() as url:
        yield url


@pytest.fixture
def client_of(generated, site):
    """Return a function that gives somebody a generated client, with a token of some scopes."""

    def client(member, *scopes: str):
        _token, secret = make_token(by=member.user, name="a test", scopes=scopes)
        return generated("").AuthenticatedClient(base_url=site, token=secret)

    return client


def voted(cast) -> None:
    """Let two people and two experts vote on three posts."""
    posts = add_posts(cast.study, 3)
    batch = create_batch(by=None, study=cast.study, posts=3, votes_wanted=2)
    move_batch(by=None, batch=batch, to="open")
    for member in (cast.worker, join(cast.study, "ada", "crowd_worker")):
        for label in ("checkworthy", "no_claim", "checkworthy"):
            submit_vote(by=member, assignment_id=held_by(member), answer=Answer(label, 4.0))
    open_legal_batch(by=None, study=cast.study, post_ids=[post.pk for post in posts])
    ticks = {"issues": ["defamation"], "evidence": [LINK]}
    for member in (cast.expert, join(cast.study, "bo", "expert"), join(cast.study, "cy", "expert")):
        for what in ({"label": "yes", **ticks}, {"label": "no"}, {"label": "no"}):
            held = held_by(member, StageCode.LEGAL)
            submit_answer(by=member, assignment_id=held, answer=ExpertAnswer.of_ticks(**what))


def test_a_generated_client_lists_studies_makes_a_batch_and_reads_votes(cast, generated, client_of):
    voted(cast)
    owner = client_of(cast.owner, "read", "manage")
    studies = generated("api.annotation.get_studies").sync(client=owner)
    assert [one.slug for one in studies.results] == [cast.study.slug]
    batches = generated("api.crowd.get_crowd_batches").sync(cast.study.slug, client=owner)
    assert [one.number for one in batches.results] == [1]
    votes = generated("api.crowd.get_crowd_votes").sync_detailed(cast.study.slug, client=owner)
    lines = [json.loads(line) for line in votes.content.decode().splitlines()]
    read = [generated("models").ExportedVote.from_dict(line) for line in lines]
    assert len(read) == 6 and {one.annotator for one in read} == {
        vote["annotator"] for vote in lines
    }


def test_a_generated_client_gets_a_refusal_as_a_typed_problem(cast, generated, client_of):
    reader = client_of(cast.owner, "read")
    models: ModuleType = generated("models")
    ask = generated("api.crowd.post_crowd_batches").sync
    refused = ask(cast.study.slug, client=reader, body=models.NewCrowdBatch(posts=1))
    assert isinstance(refused, models.ProblemDetails)
    assert (refused.status, refused.type_.value) == (403, "/problems/token_too_narrow")
    manager = client_of(cast.owner, "manage")
    invalid = ask(cast.study.slug, client=manager, body=models.NewCrowdBatch(posts=0))
    assert isinstance(invalid, models.ProblemDetails) and invalid.status == 422
    assert list(invalid.fields.additional_properties) == ["posts"]
    add_posts(cast.study, 2)
    made = ask(cast.study.slug, client=manager, body=models.NewCrowdBatch(posts=2, seed=7))
    assert (made.number, made.posts, made.state.value) == (1, 2, "draft")


def test_the_notebook_in_docs_runs_and_counts_what_was_said(cast, site, monkeypatch):
    voted(cast)
    _token, secret = make_token(by=cast.researcher.user, name="a test", scopes=["read"])
    monkeypatch.setenv("JURYROOM_URL", site)
    monkeypatch.setenv("JURYROOM_TOKEN", secret)
    monkeypatch.setenv("JURYROOM_STUDY", cast.study.slug)
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    found: dict = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec("".join(cell["source"]), found)
    assert len(found["votes"]) == 6 and found["by_person"].to_numpy().sum() == 6
    assert sorted(found["labels"]["votes"]) == [2, 2, 2]
    assert sum(found["by_y"]["len"]) == 3
    assert set(found["issues"]["issue"]) == {"defamation"}

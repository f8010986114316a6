"""Files as people upload them, made by the libraries that write them."""

import io

import docx
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, StreamObject


def pdf(*pages: list[str], password: str = "", owner: str = "") -> bytes:
    """Return a PDF with these lines on each page; a page without lines is like a scanned one."""
    writer = PdfWriter()
    for lines in pages:
        page = writer.add_blank_page(width=595, height=842)
        if lines:
            write_lines(writer, page, lines)
    if password or owner:
        writer.encrypt(password, owner or None, algorithm="AES-256")
    content = io.BytesIO()
    writer.write(content)
    return content.getvalue()


def write_lines(writer, page, lines: list[str]) -> None:
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    escaped = [line.replace("(", r"\(").replace(")", r"\)") for line in lines]
    shown = " T* ".join(f"({line}) Tj" for line in escaped)
    stream = StreamObject()
    stream.set_data(f"BT /F1 12 Tf 14 TL 40 800 Td {shown} ET".encode("latin-1"))
    page[NameObject("/Contents")] = writer._add_object(stream)


def word(*paragraphs: str, heading: str = "", cells: list[str] | None = None) -> bytes:
    """Return a Word file."""
    document = docx.Document()
    if heading:
        document.add_heading(heading, level=2)
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    if cells:
        row = document.add_table(rows=1, cols=len(cells)).rows[0]
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    content = io.BytesIO()
    document.save(content)
    return content.getvalue()

"""Takes the text out of files: txt, md, html, pdf, docx. A file is read, never shown or run.

What comes out has paragraphs parted by an empty line. What cannot be read is refused with a
sentence, an English template that the services translate.
"""

from legal.algorithms.extraction.faults import MOST_CHARACTERS, Unreadable
from legal.algorithms.extraction.reading import KINDS, Extracted, kind_of, read_file

__all__ = ["KINDS", "MOST_CHARACTERS", "Extracted", "Unreadable", "kind_of", "read_file"]

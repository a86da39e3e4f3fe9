"""Keeps the text of a document whose structure could not be found: its lines as they stand on the pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import PurePath

from rabbithole.kb.ingest.metadata.document_language import detect_language
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.parsed import ParsedDocument, ParsedSection
from rabbithole.kb.models import Scalar


def unstructured(
    lines: Sequence[Sequence[TextLine]],
    file: str,
    properties: Mapping[str, Scalar],
    labels: Sequence[str],
    problem: str,
) -> ParsedDocument:
    """Return the lines of each page in file order as one section, with a warning that names the ``problem``."""
    texts = ["".join(f"{line.text}\n" for line in page) for page in lines]
    text = "".join(texts)
    title = str(properties.get("title") or "") or PurePath(file).stem
    return ParsedDocument(
        title=title,
        text=text,
        page_starts=tuple(accumulate((len(page) for page in texts[:-1]), initial=0)) if texts else (),
        page_labels=tuple(labels) or tuple(str(number + 1) for number in range(len(texts))),
        sections=(
            ParsedSection(
                level=0,
                heading=title,
                start=0,
                own_end=len(text),
                end=len(text),
                page=0,
                last_page=max(len(texts) - 1, 0),
            ),
        ),
        outline_source="none",
        language=detect_language(text),
        properties={name: value for name, value in properties.items() if name != "title"},
        warnings=(f"its headings could not be read, only its lines ({problem}); please report the file",),
    )

"""Builds documents and mentions for the resolution benchmarks in memory from their plain text."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rabbithole.kb.models import Document, Reference, Section
from rabbithole.kb.references.bibliography.entries import parse_bibliography
from rabbithole.kb.references.names.completion import names_in_opening

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from library import SmallDocument as SmallDocument
from library import SmallLibrary as SmallLibrary

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))


def rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / path).read_text(encoding="utf-8").splitlines()]


def overlapping(text: str, found: Sequence[Reference], start: int, end: int) -> list[Reference]:
    return [each for each in found if each.start < end and start < each.end]


def build(
    identifier: str, collection: str, title: str, parts: Sequence[tuple[str, str, str]], **more: Any
) -> SmallDocument:
    """Return a document made from (number, heading, text) of its sections."""
    text, sections = "", []
    for index, (number, heading, content) in enumerate(parts):
        body = " ".join(part for part in (number, heading) if part) + "\n" + content
        sections.append(
            Section(
                id=f"{identifier}:s{index}",
                document=identifier,
                index=index,
                level=1,
                number=number,
                heading=heading,
                start=len(text),
                own_end=len(text) + len(body),
                end=len(text) + len(body),
                page=0,
                last_page=0,
            )
        )
        text += body + "\n"
    document = Document(
        id=identifier, collection=collection, file=f"{identifier}.pdf", path="", title=title, pages=1, **more
    )
    return SmallDocument(document, text, tuple(sections))


def laws_from_text() -> SmallLibrary:
    """Return the 27 laws made from their sections, with the opening lines that their PDFs print."""
    index = {row["slug"]: row for row in rows("gesetze/laws_index.jsonl")}
    parts: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for row in rows("gesetze/norms.jsonl"):
        parts[row["slug"]].append((row["enbez"] or "", row["titel"] or "", row["text"]))
    held = []
    for slug, sections in parts.items():
        law = index[slug]
        opening = f"{law['langue']}\n({law['kurzue'] or ''} - {law['amtabk'] or law['jurabk']})\nAusfertigungsdatum: x"
        held.append(build(slug, "laws", law["langue"], sections, synonyms=names_in_opening(opening), language="de"))
    return SmallLibrary(held)


def rfcs_from_text() -> SmallLibrary:
    """Return the RFCs made from their plain text, without page headers and footers, which the parser drops too."""
    held = []
    for path in sorted((DATA / "rfc/txt").glob("*.txt")):
        raw = path.read_text(encoding="utf-8", errors="replace").replace("\f", "")
        text = re.sub(r"\n*[^\n]*\[Page \d+\]\s*\n+[^\n]*\n", "\n", raw)
        document = Document(
            id=path.stem,
            collection="rfc",
            file=f"{path.stem}.pdf",
            path="",
            title=path.stem,
            synonyms=names_in_opening(text.lstrip()),
            pages=1,
            language="en",
        )
        held.append(SmallDocument(document, text, (), parse_bibliography(text)))
    return SmallLibrary(held)


def cfr_from_text() -> SmallLibrary:
    """Return 27 CFR, one document for each part."""
    parts: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for row in rows("refs/cfr27_sections.jsonl"):
        number = row["identifier"].rsplit("/s", 1)[1]
        text = row["text"].removeprefix(f"§ {number}").strip().removeprefix(row["heading"]).strip()
        parts[row["part"].rsplit("/p", 1)[1]].append((f"§ {number}", row["heading"], text))
    return SmallLibrary(
        [
            build(f"27cfr{part}", "cfr", f"27 CFR Part {part}", sections, language="en")
            for part, sections in parts.items()
        ]
    )

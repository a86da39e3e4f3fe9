"""Turns XRefRAG (ADGM), regulatory documents given as numbered passages, into documents as ingestion makes them.

A passage's id names its place: "9.3.1B.Guidance.5." is in rule 9.3.1B. Numbers joined with dots make nested sections;
letters and Roman numerals in parentheses are paragraphs of the last one.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rabbithole.kb.models import Chunk, Document, Section
from rabbithole.kb.store.records import IndexedDocument

_COLLECTION = "adgm"
_PAGE = 3000
_MARKS = str.maketrans("", "", "\u200e\u200f")
_DIVISION = re.compile(r"^(PART|Part|Chapter|Schedule|SECTION|Section|APP|ANNEX|APPENDIX|Appendix)\b|^APP\d")
_NUMBER = re.compile(r"^\d+[A-Z]{0,2}$")
_LETTER = re.compile(r"^A\d+[A-Z]?$|^[A-Z]$")
_PARAGRAPH = re.compile(r"^\(\w+\)$|^[a-z]$|^[ivx]+$")
_ITEM = re.compile(r"^(\d+)\)$")
_RULE_WORDS = re.compile(r"\b(must|shall|may not)\b")
_LONGEST_HEADING = 110


def indexed_passages(folder: Path) -> tuple[list[IndexedDocument], dict[str, str]]:
    """Return the documents, and passage id -> chunk id."""
    documents: list[IndexedDocument] = []
    chunk_of: dict[str, str] = {}
    given = json.loads((folder / "documents.json").read_text(encoding="utf-8"))
    for number in sorted(map(int, given)):
        rows = json.loads((folder / "adgm" / f"{number}.json").read_text(encoding="utf-8"))
        indexed = _Reading(number, given[str(number)]).read(rows)
        documents.append(indexed)
        ids = (row["ID"] for row in rows if _text(row))
        chunk_of |= {passage: chunk.id for passage, chunk in zip(ids, indexed.chunks, strict=True)}
    return documents, chunk_of


class _Reading:
    """Makes one document from its passages: text, nested sections, one chunk for each passage."""

    def __init__(self, number: int, names: list[str]) -> None:
        self._id = hashlib.sha256(f"{_COLLECTION}\n{number}".encode()).hexdigest()[:16]
        real = names[1:] or names
        self._file, self._title = names[0], max(real, key=len)
        self._synonyms = tuple(name for name in dict.fromkeys(real) if name != self._title)
        self._parts: list[str] = []
        self._size = 0
        self._pages = [0]
        self._sections: list[dict[str, Any]] = []
        self._open: list[tuple[str, int]] = []
        self._chunks: list[tuple[int, int, int]] = []

    def read(self, rows: list[dict[str, Any]]) -> IndexedDocument:
        for row in rows:
            self._add(row)
        text = "".join(self._parts)
        sections = tuple(self._section(index, one) for index, one in enumerate(self._sections))
        chunks = tuple(
            Chunk(
                id=f"{self._id}:c{position}", document=self._id, section=f"{self._id}:s{section}",
                section_path=self._path(section, sections), page=self._page(start),
                page_label=str(self._page(start) + 1),
                start=start, end=end, text=text[start:end],
            )
            for position, (start, end, section) in enumerate(self._chunks)
        )  # fmt: skip
        document = Document(
            id=self._id, collection=_COLLECTION, file=f"{self._file}.pdf", path=f"/{_COLLECTION}/{self._file}.pdf",
            title=self._title, synonyms=self._synonyms, language="en", pages=len(self._pages),
        )  # fmt: skip
        return IndexedDocument(
            document=document, text=text, page_starts=tuple(self._pages),
            page_labels=tuple(str(page + 1) for page in range(len(self._pages))),
            sections=sections, chunks=chunks, outline_source="passages",
        )  # fmt: skip

    def _add(self, row: dict[str, Any]) -> None:
        passage = _text(row)
        path, marker = _split(row["PassageID"])
        start = self._size
        fresh = self._enter(path)
        last = self._sections[self._open[-1][1]] if self._open else {"number": "", "heading": ""}
        if fresh and not marker:
            if last["number"] and _is_heading(passage):
                last["heading"] = passage
            elif not last["number"] and not passage:
                passage = last["heading"]
        shown = f"{marker}{'' if _PARAGRAPH.match(marker.split('.')[0]) else '.'}\t" if marker else ""
        shown = shown or (f"{path[-1][1]}\t" if path and path[-1][1] else "")
        line = f"{shown}{passage}\n\n"
        if start - self._pages[-1] > _PAGE:
            self._pages.append(start)
        if _text(row):
            self._chunks.append((start, start + len(shown) + len(passage), self._open[-1][1] if self._open else 0))
        self._parts.append(line)
        self._size += len(line)

    def _enter(self, path: list[tuple[str, str]]) -> bool:
        """Close the sections that end here and open those that begin; return whether any begins."""
        keep = 0
        while keep < min(len(self._open), len(path)) and self._open[keep][0] == path[keep][0]:
            keep += 1
        for _, index in self._open[keep:]:
            self._sections[index]["end"] = self._size
        self._open = self._open[:keep]
        for key, number in path[keep:]:
            parent = self._open[-1][1] if self._open else None
            if parent is not None:
                self._sections[parent].setdefault("own_end", self._size)
            heading = "" if number else key.replace("_", " ")
            self._sections.append({"number": number, "heading": heading, "start": self._size, "parent": parent})
            self._open.append((key, len(self._sections) - 1))
        return len(path) > keep

    def _section(self, index: int, one: dict[str, Any]) -> Section:
        end = one.get("end", self._size)
        level, above = 0, one["parent"]
        while above is not None:
            level, above = level + 1, self._sections[above]["parent"]
        return Section(
            id=f"{self._id}:s{index}", document=self._id, index=index, level=level, number=one["number"],
            parent=None if one["parent"] is None else f"{self._id}:s{one['parent']}", heading=one["heading"],
            start=one["start"], own_end=one.get("own_end", end), end=end, page=self._page(one["start"]),
            last_page=self._page(max(one["start"], end - 1)), page_label=str(self._page(one["start"]) + 1),
        )  # fmt: skip

    def _path(self, section: int, sections: tuple[Section, ...]) -> tuple[str, ...]:
        def upwards() -> Iterator[str]:
            at: int | None = section
            while at is not None:
                yield sections[at].label
                at = self._sections[at]["parent"]

        return tuple(label for label in reversed(list(upwards())) if label)

    def _page(self, offset: int) -> int:
        return bisect_right(self._pages, offset) - 1


def _text(row: dict[str, Any]) -> str:
    return str(row["Passage"]).strip().translate(_MARKS).strip()


def _split(place: str) -> tuple[list[tuple[str, str]], str]:
    """Return the sections of a place (key and number, outermost first), and the paragraph's mark in the last one."""
    tokens = [token.strip() for token in place.strip().split(".") if token.strip()]
    sections: list[tuple[str, str]] = []
    numbers: list[str] = []
    for at, token in enumerate(tokens):
        if _PARAGRAPH.match(token):
            return sections, ".".join(tokens[at:])
        if _DIVISION.match(token):
            numbers = []
            sections.append((token, re.sub(r"^APP\s*(\d+)", r"APP \1", token)))
        elif item := _ITEM.match(token):
            sections.append((token, item[1]))
        elif _NUMBER.match(token) or _LETTER.match(token):
            numbers.append(token)
            sections.append((token, ".".join(numbers)))
        else:
            sections.append((token, ""))
            rest = tokens[at + 1 :]
            if all(not re.match(r"[A-Z_]{3,}|Guidance", other, re.IGNORECASE) for other in rest):
                return sections, ".".join(rest)
    return sections, ""


def _is_heading(text: str) -> bool:
    short = 0 < len(text) <= _LONGEST_HEADING and "\n" not in text
    return short and not text.endswith((".", ";", ":")) and not _RULE_WORDS.search(text)

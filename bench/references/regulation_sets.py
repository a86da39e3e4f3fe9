"""Builds the 40 regulatory documents of XRefRAG (ADGM, Apache-2.0) in memory from their numbered passages."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from rabbithole.kb.models import Document, Section

from .resolution_sets import DATA, SmallDocument, SmallLibrary, rows

COLLECTION = "adgm"
_DIVISION = re.compile(r"(?:PART|Chapter|Schedule|SECTION|Section|ANNEX|APPENDIX|Appendix|Part)\b|APP(?:\d|\b)")
_PARAGRAPH = re.compile(r"\(\w+\)|[a-z]|[ivx]+")
_NUMBER = re.compile(r"\d+[A-Z]{0,2}")
_LETTERED = re.compile(r"A\d+[A-Z]?|[A-Z]")
_ITEM = re.compile(r"(\d+)\)")
_PAGE = 3000


@dataclass(frozen=True)
class Passages:
    """The documents, and for each passage of the set its document, offsets and innermost section."""

    reader: SmallLibrary
    place: dict[str, tuple[str, int, int, str]]
    by_number: dict[tuple[str, str], str]

    def target(self, row: dict[str, str]) -> tuple[str, int, int, str]:
        """Return where an annotated reference leads: by the passage's id, or by its number if the id is damaged."""
        if row["TargetID"] in self.place:
            return self.place[row["TargetID"]]
        document, number = row["TargetDocumentID"], row["TargetPassageID"].strip(" .")
        inside = (key for key in self.by_number if key[0] == document and f"{key[1]}.".startswith(f"{number}."))
        return self.place[self.by_number[next(inside)]]


def split(passage: str) -> tuple[list[tuple[str, str]], str]:
    """Return sections as (key, number), outermost first, and the paragraph's marker of 'Part 6.Chapter 1.58.(2)'."""
    tokens = [token.strip() for token in passage.split(".") if token.strip()]
    path: list[tuple[str, str]] = []
    chain: list[str] = []
    for index, token in enumerate(tokens):
        if _PARAGRAPH.fullmatch(token):
            return path, ".".join(tokens[index:])
        if _DIVISION.match(token):
            chain = []
            path.append((token, re.sub(r"^APP\s*(\d+)", r"APP \1", token)))
        elif item := _ITEM.fullmatch(token):
            path.append((token, item[1]))
        elif _NUMBER.fullmatch(token) or _LETTERED.fullmatch(token):
            chain.append(token)
            path.append((token, ".".join(chain)))
        else:
            path.append((token, ""))
            rest = tokens[index + 1 :]
            if not any(re.match(r"[A-Z_]{3,}|Guidance", each, re.I) for each in rest):
                return path, ".".join(rest)
    return path, ""


def regulations() -> Passages:
    """Return all documents of the set."""
    held: list[SmallDocument] = []
    place: dict[str, tuple[str, int, int, str]] = {}
    by_number: dict[tuple[str, str], str] = {}
    given = json.loads((DATA / "xrefrag/documents.json").read_text("utf-8"))
    for number, names in given.items():
        document, places, numbers = _document(int(number), names)
        held.append(document)
        place |= places
        by_number |= {(number, passage): identifier for passage, identifier in numbers.items()}
    return Passages(SmallLibrary(held), place, by_number)


def _document(
    number: int, names: list[str]
) -> tuple[SmallDocument, dict[str, tuple[str, int, int, str]], dict[str, str]]:
    identifier = f"adgm{number}"
    real = names[1:] or names
    title = max(real, key=len)
    parts: list[str] = []
    size = 0
    records: list[dict[str, object]] = []
    stack: list[tuple[str, int]] = []
    places: dict[str, tuple[str, int, int, str]] = {}
    numbers: dict[str, str] = {}
    for row in json.loads((DATA / f"xrefrag/adgm/{number}.json").read_text("utf-8")):
        passage = str(row["Passage"]).strip()
        path, marker = split(row["PassageID"])
        keep = 0
        while keep < min(len(stack), len(path)) and stack[keep][0] == path[keep][0]:
            keep += 1
        for _, index in stack[keep:]:
            records[index]["end"] = size
        fresh = len(path) > keep
        stack = stack[:keep]
        for key, value in path[keep:]:
            if stack:
                records[stack[-1][1]].setdefault("own_end", size)
            heading = "" if value else key.replace("_", " ")
            parent = stack[-1][1] if stack else None
            records.append({"number": value, "heading": heading, "start": size, "parent": parent, "level": len(stack)})
            stack.append((key, len(records) - 1))
        innermost = stack[-1][1]
        if fresh and not marker and records[innermost]["number"] and _is_heading(passage):
            records[innermost]["heading"] = passage
        lead = f"{marker}\t" if marker else f"{path[-1][1]}\t" if path and path[-1][1] else ""
        places[row["ID"]] = (identifier, size, size + len(lead) + len(passage), f"{identifier}:s{innermost}")
        numbers.setdefault(row["PassageID"].strip(" ."), row["ID"])
        parts.append(f"{lead}{passage}\n\n")
        size += len(parts[-1])
    sections = tuple(
        Section(
            id=f"{identifier}:s{index}",
            document=identifier,
            index=index,
            parent=None if each["parent"] is None else f"{identifier}:s{each['parent']}",
            level=each["level"],
            number=each["number"],
            heading=each["heading"],
            start=each["start"],
            own_end=each.get("own_end", each.get("end", size)),
            end=each.get("end", size),
            page=0,
            last_page=0,
            page_label="1",
        )
        for index, each in enumerate(records)
    )
    document = Document(
        id=identifier,
        collection=COLLECTION,
        file=f"{names[0]}.pdf",
        path=f"/{COLLECTION}/{names[0]}.pdf",
        title=title,
        synonyms=tuple(name for name in dict.fromkeys(real) if name != title),
        language="en",
        pages=1,
        metadata={"number": number},
    )
    return SmallDocument(document, "".join(parts), sections), places, numbers


def _is_heading(text: str) -> bool:
    """Return whether a passage is the heading of its section rather than its text."""
    short = 0 < len(text) <= 110 and "\n" not in text and not text.endswith((".", ";", ":"))
    return short and not re.search(r"\b(?:must|shall|may not)\b", text)


def annotated() -> list[dict[str, str]]:
    """Return the references annotated by people: source passage, words, target passage ('' outside the set)."""
    return [{key: str(value or "") for key, value in row.items()} for row in rows("xrefrag/references.jsonl")]


def question_pairs() -> list[tuple[str, str]]:
    """Return the (source, target) passages that a question needs together."""
    questions = rows("xrefrag/adgm_train.jsonl") + rows("xrefrag/adgm_dev.jsonl")
    return sorted({(row["source_passage_id"], row["target_passage_id"]) for row in questions})

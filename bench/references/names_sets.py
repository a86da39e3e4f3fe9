"""Compares titles, years, numbers and mentions of real collections with gold written by hand from the PDFs."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Place, Reference

_DASHES = frozenset("\u00ad\u200b\u200c\u200d\ufeff-\u2010\u2011\u2012\u2013\u2014\u2212")
_LIKE = 0.6


class Case(NamedTuple):
    """One thing checked, such as 'SP800-39.pdf title', and the result; ``right`` decides gains and losses."""

    name: str
    group: str
    right: bool
    came: str


def bare(text: str) -> str:
    """Return letters and digits without white space and hyphens, in lower case."""
    folded = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    return re.sub(r"\s+", "", "".join(each for each in folded if each not in _DASHES)).lower()


def document_cases(kb: KnowledgeBase, gold: Mapping[str, Any]) -> list[Case]:
    """Return the cases of title, year and number of every readable gold document that the collection holds."""
    held = {document.file: document for document in kb.documents()}
    cases: list[Case] = []
    for want in gold["documents"]:
        got = held.get(want["file"])
        if want.get("readable") is False or got is None:
            continue
        title = bare(got.title)
        same = _alike(got.title, want["title"]) >= _LIKE or bare(want["title"]) in title
        same = same or (len(title) > 12 and title in bare(want["title"]))
        cases.append(Case(f"{got.file} title", "titles", same, got.title))
        if want.get("year"):
            year = str(got.metadata.get("year") or got.metadata.get("edition") or "")[:4]
            cases.append(Case(f"{got.file} year", "years", year == str(want["year"]), year))
        if want.get("number"):
            names = " | ".join([got.title, *got.synonyms, *map(str, got.metadata.values())])
            cases.append(Case(f"{got.file} number", "numbers", bare(want["number"]) in bare(names), names[:80]))
    return cases


def mention_cases(kb: KnowledgeBase, gold: Mapping[str, Any], collection: str) -> list[Case]:
    """Return the cases of each gold mention: it leads to a held file (and section), to a missing one, or to none."""
    by_file = {document.file: document for document in kb.documents()}
    files = {document.id: document.file for document in kb.documents()}
    cases: list[Case] = []
    for mention in gold["mentions"]:
        document = by_file.get(mention["file"])
        if document is None or (mention["leads"] not in ("missing", "none") and mention["leads"] not in by_file):
            continue
        found = _overlapping(kb, document.id, mention)
        came: list[tuple[str, str, str]] = [
            (one.status, files.get(one.document or "", ""), one.number or "")
            for reference in found
            for one in [
                kb.resolve(reference, at=Place(document=document.id, offset=reference.start), collections=[collection])
            ]
        ]
        name = f"{mention['file']} p. {mention['page']} {mention['text']}"
        if mention["leads"] == "none":
            taken = any(reference.kind in ("document", "document_mention", "legal_section") for reference in found)
            cases.append(Case(name, "no documents left alone", not taken, str(came[:2])))
        elif mention["leads"] == "missing":
            lacking = any(status == "missing" for status, _, _ in came)
            unseen = not came and "missing" in mention.get("or", [])
            cases.append(Case(name, "missing named missing", lacking or unseen, str(came[:2])))
        else:
            cases += _held_cases(name, mention, came)
    return cases


def _held_cases(name: str, mention: Mapping[str, Any], came: list[tuple[str, str, str]]) -> list[Case]:
    wanted = {mention["leads"], *mention.get("or", [])}
    section = bare(mention.get("section") or "")
    in_file = any(file in wanted for _, file, _ in came)
    right = any(file in wanted and (not section or _same(section, bare(number))) for _, file, number in came)
    missing = bool(came) and not in_file and all(status == "missing" for status, _, _ in came)
    shown = str(came[:2])
    return [
        Case(name, "held led right", right, shown),
        Case(name, "held not called missing", not missing, shown),
        Case(name, "held not led elsewhere", not came or in_file or missing, shown),
    ]


def _same(wanted: str, number: str) -> bool:
    return bool(number) and (number.endswith(wanted) or wanted.endswith(number))


def _overlapping(kb: KnowledgeBase, document: str, mention: Mapping[str, Any]) -> list[Reference]:
    """Return the references that overlap a mention, found by its words and their context."""
    start, end = kb.page_span(document, mention["page"])
    text = kb.text(document, start, end)
    flat, places = "", []
    for place, letter in enumerate(text):
        if not letter.isspace() and letter not in _DASHES:
            for each in unicodedata.normalize("NFKC", letter).lower():
                flat += each
                places.append(place)
    words = bare(mention.get("ref") or mention["text"])
    around = flat.find(bare(mention.get("context") or mention["text"]))
    at = flat.find(words, max(around, 0))
    at = flat.find(words) if at < 0 else at
    if at < 0:
        return []
    first, last = start + places[at], start + places[min(len(places) - 1, at + len(words) - 1)] + 1
    return [one for one in kb.references(document, start, end) if one.start < last and one.end > first]


def _alike(one: str, other: str) -> float:
    first, second = ({word for word in re.findall(r"\w+", text.lower()) if len(word) > 2} for text in (one, other))
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else float(one == other)


def shares(cases: list[Case]) -> dict[str, tuple[int, int]]:
    """Return group -> (number right, total)."""
    right, of = Counter[str](), Counter[str]()
    for case in cases:
        of[case.group] += 1
        right[case.group] += case.right
    return {group: (right[group], of[group]) for group in of}


def changes(now: list[Case], before: Path) -> tuple[list[str], list[str]]:
    """Return the cases that are right now but were not in a saved run, and the reverse."""
    saved = {(name, group): right for name, group, right, _ in json.loads(before.read_text(encoding="utf-8"))}
    gains = [f"{case.group}: {case.name}" for case in now if case.right and saved.get((case.name, case.group)) is False]
    losses = [
        f"{case.group}: {case.name} -> {case.came}"
        for case in now
        if not case.right and saved.get((case.name, case.group)) is True
    ]
    return gains, losses

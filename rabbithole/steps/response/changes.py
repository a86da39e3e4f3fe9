"""Compares two editions of a work when a question asks what changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

from rabbithole.kb.editions_in_force import since
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Section
from rabbithole.steps.comparison.compare import compare
from rabbithole.steps.comparison.models import Change, SectionChange, Side
from rabbithole.steps.phrases import phrase
from rabbithole.steps.question import NamedPlace, Understood

from .models import QuotedPassage

_EDITION = r"(?:\b(?:Fassung|Ausgabe|Auflage|Version|edition|revision|version)\w*|\b(?:19|20)\d\d\b.*\b(?:19|20)\d\d\b)"
_ASKS = re.compile(
    r"\b(?:was|wie|welche\w*|inwie\w+)\b.*\b(?:hat|haben|wurden?)\b.*\bgeändert\b"
    r"|\bwas ist\b.*\bneu\b(?=\W*$|.*\b(?:in|an|bei|seit|gegenüber)\b)"
    rf"|\bÄnderungen\b.*(?:\b(?:seit|gegenüber|zwischen)\b|{_EDITION})"
    rf"|\bunter(?:scheide|schied)\w*\b.*{_EDITION}"
    r"|\bwhat(?: has| have| was| were)?(?: been)? (?:changed|amended)\b|\bhow (?:has|have|did)\b.*\bchanged?\b"
    r"|\bwhat(?: is|'s) new (?:in|since)\b|\b(?:what|which)\b.*\bchanges\b.*\b(?:between|since|from)\b"
    rf"|{_EDITION}.*\bdiffer|\bdiffer\w*\b.*{_EDITION}",
    re.IGNORECASE | re.DOTALL,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_WORD = re.compile(r"[^\W\d_]{4,}")
_ASKED = re.compile(r"(?P<unit>§+|[^\W\d]+)\s+(?P<value>\S+)")
SHOWN = 4
"""How many changed sections of a whole work are quoted; the others are only named."""
ROOM = 90
"""Words quoted from each side of a change."""
REWRITTEN = 0.6
"""Two editions are too different to show section by section if more than this share of their sections differ ..."""
MOST = 12
"""... and the number of differing sections is above this."""
MOSTLY = 0.85
Open = Callable[[NamedPlace, int], QuotedPassage]


class EditionChanges(NamedTuple):
    """The result of a comparison.

    ``complete`` means that the answer needs nothing else. It is False where the editions are too different to quote
    their changes, so that the rest of the answer is still useful.
    """

    first: tuple[str, ...]
    passages: tuple[QuotedPassage, ...] = ()
    complete: bool = True


class _Pair(NamedTuple):
    old: Document
    new: Document


def asks_for_changes(query: str) -> bool:
    """Return whether a question asks how editions differ: "What changed in § 17?", "Was ist neu in § 8 seit 2012?"."""
    return _ASKS.search(query) is not None


def changes(
    kb: KnowledgeBase, understood: Understood, collections: Sequence[str], opened: Open
) -> EditionChanges | None:
    """Compare the two editions the question is about.

    Returns None if the question asks for no comparison, if the two editions are not certain, or if the knowledge base
    is read as of one day (there is then only one edition). ``opened`` makes a passage from a place and a maximum number
    of words.
    """
    if not asks_for_changes(understood.query) or kb.day is not None:
        return None
    number = _section_asked(understood)
    works = kb.works(collections)
    work = _work_meant(kb, works, understood, number)
    if work is None:
        return None
    pair = _pair(work, understood.query)
    if pair is None:
        return None
    held = _number_held(kb, pair, number) if number else None
    if number and held is None:
        return None
    compared = compare(kb, pair.old, pair.new, section=held)
    differing = [each for each in compared.differing if _numbered(each)] or list(compared.differing)
    language = understood.language
    first = [phrase(language, "changes.compared", old=_edition(pair.old), new=_edition(pair.new))]
    if not differing:
        first.append(phrase(language, "changes.same"))
        return EditionChanges(tuple(first), _same(kb, compared.sections, pair, opened) if held else ())
    first += _listed(differing, language)
    alike = len(differing) <= max(MOST, REWRITTEN * len(compared.sections))
    shown = differing if held or alike else []
    passages = [one for each in shown[:SHOWN] for one in _sides(kb, each, pair, opened)]
    if passages:
        first.append(phrase(language, "changes.marked"))
    return EditionChanges(tuple(first), tuple(passages), complete=bool(shown))


def _numbered(change: SectionChange) -> bool:
    return any(side is not None and side.number for side in (change.old, change.new))


def _section_asked(understood: Understood) -> str:
    """Return the section as the question names it ('§ 17', '8.3'), or '' if it asks about a whole work."""
    for place in understood.places:
        if match := _ASKED.match(place.asked):
            return f"{match['unit']} {match['value']}"
    return ""


def _number_held(kb: KnowledgeBase, pair: _Pair, number: str) -> str | None:
    bare = number.split()[-1]
    for name in (number, bare):
        if any(kb.section(each.id, name) is not None for each in pair):
            return name
    return None


def _work_meant(
    kb: KnowledgeBase, works: Sequence[tuple[Document, ...]], understood: Understood, number: str
) -> tuple[Document, ...] | None:
    """Return the work the question names or describes; if it names none, the only work that has the section."""
    named = {place.document for place in understood.places if place.document} | set(understood.documents)
    fitting = [work for work in works if any(each.id in named for each in work)]
    if len(fitting) == 1:
        return fitting[0]
    scores = [(_described(work, understood.query), work) for work in works]
    best = max((score for score, _ in scores), default=0)
    if best:
        likely = [work for score, work in scores if score == best]
        return likely[0] if len(likely) == 1 else None
    if not number or any(_WORD.search(place.text.split(maxsplit=1)[-1]) for place in understood.places):
        return None
    holding = [work for work in works if _number_held(kb, _Pair(work[-2], work[-1]), number) is not None]
    return holding[0] if len(holding) == 1 else None


def _described(work: Sequence[Document], query: str) -> int:
    """Return how many words of the question occur in a name of the work."""
    names = " ".join(name for each in work for name in (each.title, *each.synonyms, each.file)).casefold()
    return len(set(_WORD.findall(names)) & set(_WORD.findall(query.casefold())))


def _pair(work: Sequence[Document], query: str) -> _Pair | None:
    """Return the editions of the years in the question: one year means since then; without a year, the last two."""
    years = sorted(set(_YEAR.findall(query)))
    if len(years) > 1:
        old, new = _of_year(work, years[0]), _of_year(work, years[-1])
        return _Pair(old, new) if old is not None and new is not None and old.id != new.id else None
    if years:
        there = _of_year(work, years[0])
        if there is None:
            return None
        at = list(work).index(there)
        return _Pair(there, work[-1]) if there is not work[-1] else _Pair(work[at - 1], there)
    return _Pair(work[-2], work[-1])


def _of_year(work: Sequence[Document], year: str) -> Document | None:
    """Return the edition of that year, or the one in force at its end."""
    return next((each for each in reversed(work) if since(each) <= f"{year}-12-31"), None)


def _edition(document: Document) -> str:
    day = since(document)
    said = document.metadata.get("edition") or document.metadata.get("date") or day[:4]
    return _name(document) if str(said) in _name(document) else f"{_name(document)} ({said})"


def _name(document: Document) -> str:
    return document.title or document.file


def _listed(differing: Sequence[SectionChange], language: str) -> list[str]:
    """Return one sentence for each kind of change, with the sections it concerns."""
    kinds: dict[str, list[str]] = {}
    of: dict[Change, str] = {"moved and changed": "changed"}
    for each in differing:
        label = each.label
        if each.old is not None and each.new is not None and each.old.number != each.new.number:
            label = f"{each.old.number} → {each.label}"
        kinds.setdefault(of.get(each.change, each.change), []).append(label)
    return [
        phrase(language, f"changes.{kind}", count=len(labels), sections="; ".join(labels[:12]))
        for kind, labels in kinds.items()
    ]


def _sides(kb: KnowledgeBase, change: SectionChange, pair: _Pair, opened: Open) -> list[QuotedPassage]:
    """Return a passage from the new and from the old edition of a changed section, with the differing words in bold."""
    old, new = _section(kb, change.old), _section(kb, change.new)
    if change.change == "moved":
        return []
    before = kb.text(old.document, old.start, old.own_end) if old else ""
    after = kb.text(new.document, new.start, new.own_end) if new else ""
    sides: list[tuple[QuotedPassage, Document, str]] = []
    for section, own, other, document in ((new, after, before, pair.new), (old, before, after, pair.old)):
        span = changed_lines(own, other) if section else None
        if section is not None and span is not None:
            passage = opened(_place(section, document, section.start + span[0], section.start + span[1]), ROOM)
            sides.append((passage, document, other))
    return [_told(passage, document, changed_words(passage.text, other)) for passage, document, other in sides]


def _same(kb: KnowledgeBase, sections: Sequence[SectionChange], pair: _Pair, opened: Open) -> tuple[QuotedPassage, ...]:
    section = _section(kb, sections[0].new) if sections else None
    if section is None:
        return ()
    return (_told(opened(_place(section, pair.new, section.start, section.end), ROOM), pair.new, ()),)


def _section(kb: KnowledgeBase, side: Side | None) -> Section | None:
    return kb.section_by_id(side.section) if side is not None else None


def _place(section: Section, document: Document, start: int, end: int) -> NamedPlace:
    return NamedPlace(
        text=section.label, name=document.title, status="held", document=document.id, section=section.id,
        start=start, end=end,
    )  # fmt: skip


def _told(passage: QuotedPassage, document: Document, bold: tuple[tuple[int, int], ...]) -> QuotedPassage:
    """Return the passage under the name of its edition, because both editions have the same title."""
    name = {"title": _edition(document), "short": "", "note": ""}
    return passage.model_copy(update={"evidence": passage.evidence.model_copy(update=name), "bold": bold})


def changed_lines(text: str, other: str) -> tuple[int, int] | None:
    """Return the span from the first to the last line of ``text`` that ``other`` lacks, or None if it lacks none."""
    known = {" ".join(line.split()) for line in other.splitlines()}
    start, spans = 0, []
    for line in text.splitlines(keepends=True):
        if line.strip() and " ".join(line.split()) not in known:
            spans.append((start, start + len(line)))
        start += len(line)
    return (spans[0][0], spans[-1][1]) if spans else None


def changed_words(text: str, other: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the words of ``text`` that ``other`` lacks, or () if these are nearly the whole text."""
    words = list(re.finditer(r"\S+", text))
    steps = Indel.opcodes(other.split(), [word[0] for word in words])
    spans = [(words[one.dest_start].start(), words[one.dest_end - 1].end()) for one in steps if one.tag == "insert"]
    return tuple(spans) if sum(end - start for start, end in spans) < MOSTLY * len(text) else ()

"""Detects references: one scan for triggers, a small parser at each trigger, one pass for names. Pure, linear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import ahocorasick

from rabbithole.kb.models import Reference
from rabbithole.kb.references.grammar import ALL_FORMS
from rabbithole.kb.references.grammar.english import citations as english_citations
from rabbithole.kb.references.grammar.english.path import Numbers, read_numbers
from rabbithole.kb.references.grammar.form import Form, FormMatch, Scan, spell
from rabbithole.kb.references.grammar.german import unregistered
from rabbithole.kb.references.grammar.units import Units
from rabbithole.kb.references.names.name_index import NameHit, NameIndex, default_index

_GERMAN = re.compile(r"\b(?:der|die|und|des|nach|nicht|Absatz|Abs|Satz)\b|§")
_ENGLISH = re.compile(r"\b(?:the|and|of|to|in|is|that|section)\b")
_DOTTED = re.compile(r"[A-Z]?\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?)+(?!\w|\.\d)")
_SAMPLE = 20_000
# Most references found before lists and ranges are given by their ends alone; one more for every eight characters.
EXPANDED = 10_000


def _automaton(forms: Sequence[Form]) -> ahocorasick.Automaton:
    """Return an automaton of the triggers of all forms.

    Each trigger carries its length, its forms in order and whether it begins with a letter or digit.
    """
    by_trigger: dict[str, list[Form]] = {}
    for form in forms:
        for trigger in form.triggers:
            by_trigger.setdefault(trigger, []).append(form)
    automaton = ahocorasick.Automaton()
    for trigger, its_forms in by_trigger.items():
        automaton.add_word(trigger, (len(trigger), tuple(its_forms), trigger[0].isalnum()))
    automaton.make_automaton()
    return automaton


@lru_cache(maxsize=32)
def _triggers(words: frozenset[str]) -> ahocorasick.Automaton:
    """Return an automaton for all forms and for the words that may stand before section numbers."""
    return _automaton((*ALL_FORMS, Form("unit by usage", tuple(sorted(words)), english_citations.parse_usage)))


def detect(
    text: str, *, names: NameIndex | None = None, language: str | None = None, units: Units | None = None
) -> list[Reference]:
    """Return the references in ``text`` in order of appearance; offsets are characters of ``text``.

    ``names`` holds the registered names (default: known laws only). ``language`` (ISO 639-1) decides what short
    abbreviations mean; it is guessed from the text if not given. ``units`` are the words that stand before section
    numbers in the document (default: the known ones).
    """
    german = language == "de" if language else _looks_german(text)
    hits = (names or default_index()).hits(text, german=german)
    if german:
        hits = {**unregistered.shaped(text), **hits}
    scan = Scan(text, hits, german, units=units or Units())
    found = _grammar(scan)
    found += _bare_names(scan, found)
    found.sort(key=lambda each: (each.start, each.end))
    return _references(text, found, hits)


def to_json(references: Sequence[Reference]) -> list[dict[str, object]]:
    """Return the list that ``rabbithole references --json`` prints."""
    keys = {"start", "end", "text", "kind", "target", "document", "path", "method"}
    return [reference.model_dump(mode="json", include=keys) for reference in references]


def _looks_german(text: str) -> bool:
    sample = text[:_SAMPLE]
    return len(_GERMAN.findall(sample)) >= len(_ENGLISH.findall(sample))


def _grammar(scan: Scan) -> list[FormMatch]:
    found: list[FormMatch] = []
    text = scan.text
    most = EXPANDED + len(text) // 8
    for last, (length, forms, wordlike) in _triggers(frozenset(scan.units.words)).iter(text):
        at = last - length + 1
        if at < scan.floor:
            continue
        before = text[at - 1 : at] if wordlike else ""
        inside = before.isalnum() or (before == "-" and text[at - 2 : at - 1].isalnum())
        for form in forms:
            if inside and not form.inside_word:
                continue
            parsed = form.parse(scan, at)
            if parsed:
                found += parsed if len(found) < most else [parsed[0], parsed[-1]][: len(parsed)]
                scan.floor = max(each.end for each in parsed)
                break
    return found


def _bare_names(scan: Scan, found: list[FormMatch]) -> list[FormMatch]:
    """Return names not covered by other mentions, with the numbers directly after them: "GEN 3.3.31 and 3.3.32"."""
    hits = scan.names
    bare: list[FormMatch] = []
    spans = sorted({(each.start, each.end) for each in found})
    index, floor = 0, 0
    for start in sorted(hits):
        hit = hits[start]
        while index < len(spans) and spans[index][1] <= start:
            index += 1
        if start < floor or (index < len(spans) and spans[index][0] < hit.end):
            continue
        numbers = _numbers_after(scan, hit)
        floor = numbers.end if numbers else hit.end
        if numbers is None:
            bare.append(FormMatch(start, hit.end, "document_mention", hit.canonical, ""))
            continue
        name = scan.text[start : hit.end]
        bare += [
            FormMatch(start, floor, "legal_section", spell(path, hit.canonical), name, path) for path in numbers.items
        ]
    return bare


def _numbers_after(scan: Scan, hit: NameHit) -> Numbers | None:
    """Return the dotted numbers after a document's abbreviation: "GEN 8.8.5(1)", "FEES 3.17 and 3.18"."""
    name = scan.text[hit.start : hit.end]
    if hit.law or not name.isupper() or not name.isalpha() or scan.text[hit.end : hit.end + 1] != " ":
        return None
    if not _DOTTED.match(scan.text, hit.end + 1):
        return None
    return read_numbers(scan.text, hit.end + 1, "section")


def _references(text: str, found: list[FormMatch], hits: dict[int, NameHit]) -> list[Reference]:
    """Add the text of each mention and, for relative ones, the document last named."""
    references: list[Reference] = []
    last: str | None = None
    for each in found:
        surface = text[each.start : each.end]
        document = surface if each.document == "" else each.document
        references.append(
            Reference(
                start=each.start,
                end=each.end,
                text=surface,
                kind=each.kind,
                target=each.target,
                document=document,
                path=each.path,
                following=each.following,
                relative=each.relative,
                antecedent=last if each.relative else None,
                edition=each.edition,
            )
        )
        if document and each.kind in ("legal_section", "document_mention"):
            last = document
    return references

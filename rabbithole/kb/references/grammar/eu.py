"""EU acts by number: "Verordnung (EU) 2016/679", "Richtlinie 2013/59/Euratom Anhang VII", "Directive 2009/128/EC"."""

from __future__ import annotations

import re

from .english.eu_acts import ENGLISH_ACT, english_number
from .english.path import UNITS, read_numbers
from .form import WS1, Form, FormMatch, Scan, spell
from .german.acts import EU_ACT
from .german.law_names import eu_act
from .german.path import read_paths

# "Directive 2013/59/Euratom, Article 3"
_PART = re.compile(rf",?{WS1}(?P<unit>Articles?|Annex(?:es)?){WS1}")


def parse_german(scan: Scan, at: int) -> list[FormMatch]:
    """Read a German mention of an act; an annex or article may follow it."""
    text = scan.text
    act = EU_ACT.match(text, at)
    if not act:
        return []
    law = eu_act(text, act)
    paths = read_paths(text, law.end, None)
    if paths and paths.items[0][0][0] in ("Anhang", "Anlage", "Kapitel", "Teil", "Abschnitt", "Abs", "Nr"):
        return [
            FormMatch(act.start(), paths.end, "legal_section", spell(path, law.canonical), law.document, path)
            for path in paths.items
        ]
    return [FormMatch(act.start(), law.end, "document_mention", law.canonical, law.document)]


def parse_english(scan: Scan, at: int) -> list[FormMatch]:
    """Read an English mention of an act; an article or annex may follow it."""
    match = ENGLISH_ACT.match(scan.text, at)
    if not match:
        return []
    number = english_number(match["id"])
    part = _PART.match(scan.text, match.end())
    numbers = read_numbers(scan.text, part.end(), UNITS[part["unit"].lower()]) if part else None
    if numbers:
        items = numbers.items
        return [FormMatch(at, numbers.end, "legal_section", spell(path, number), number, path) for path in items]
    return [FormMatch(at, match.end(), "document_mention", number, number)]


FORMS = (
    Form(
        "EU act in German",
        (
            "Verordnung",
            "VERORDNUNG",
            "Richtlinie",
            "RICHTLINIE",
            "VO ",
            "VO(",
            "RL ",
            "Beschluss",
            "Rahmenbeschluss",
            "Empfehlung",
            "Entscheidung",
            "Durchführungsverordnung",
        ),
        parse_german,
    ),
    Form(
        "EU act in English",
        (
            "Regulation",
            "Directive",
            "Decision",
            "Recommendation",
            "Commission ",
            "Council ",
            "Delegated ",
            "Implementing ",
        ),
        parse_english,
    ),
)

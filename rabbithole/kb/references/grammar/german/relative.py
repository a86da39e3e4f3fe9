"""Reads relative German places: "Absatz 1 Satz 2", "dieser Verordnung", "Anlage 4 Tabelle 1"."""

from __future__ import annotations

import re

from rabbithole.kb.models import ReferenceKind
from rabbithole.kb.references.grammar.exclusions import is_heading, is_listing
from rabbithole.kb.references.grammar.form import WS1, Form, FormMatch, Scan, spell

from .law_names import law_after
from .path import UNIT, Paths, read_paths

_RELATIVE_UNITS = frozenset({"Abs", "Satz", "Nr", "Buchst", "DBuchst"})
_OF_ANNEX = re.compile(rf"{WS1}(?:der|des|von|in){WS1}(?=Anl|Anh)")
# A noun directly before "Nr.": the number belongs to the noun.
_WORD_BEFORE = re.compile(
    r"(?:(?!(?:Gemäß|Nach|Laut|Siehe|In|Aus|Zu|Der|Die|Das|Den|Entgegen|Auf|Bei|Von)\b)[A-ZÄÖÜ][\wäöüß-]*|\w+\.)"
    r"[ \u00a0](?:\(|der )?\Z"
)
_THIS = re.compile(
    rf"(?:(?:[Dd]iese[sr]|[Dd]as{WS1}vorliegende|[Dd]ie{WS1}vorliegende|[Dd]er{WS1}vorliegenden"
    rf"|[Dd]es{WS1}vorliegenden)){WS1}"
    rf"(?P<what>Gesetz(?:es)?|Verordnung|Richtlinie|Vorschrift|Satzung|Abkommens?|Übereinkommens?|Anlage|Anhangs?"
    rf"|Abschnitts?|Kapitels?|Teils?"
    rf"|Paragraph(?:en)?|Artikels?|Absatz(?:es)?)(?!\w)(?!{WS1}(?:\d|\())"
)
_PREVIOUS = re.compile(
    rf"(?:[Dd](?:er|em|es|en|ie|as){WS1})?(?:vorstehende|vorhergehende|vorangehende|vorige|nachfolgende|nachstehende"
    rf"|folgende)[nrsm]?{WS1}"
    rf"(?P<what>Paragraph(?:en)?|Artikels?|Absatz(?:es)?|Absätzen?|Abschnitts?|Satz(?:es)?)(?!\w)"
)


def parse_part(scan: Scan, at: int) -> list[FormMatch]:
    """Read a path without a section ("Absatz 1 Satz 2") or one that starts at an annex or a table."""
    text = scan.text
    unit = UNIT.match(text, at)
    if not unit or unit.start() != at or not unit.lastgroup:
        return []
    paths = read_paths(text, at, None)
    if not paths:
        return []
    paths = _of_annex(text, paths)
    law = law_after(scan, paths.end)
    relative_unit = unit.lastgroup in _RELATIVE_UNITS
    if (law is None or (law.shaped and not relative_unit)) and _is_label(scan, at, unit.lastgroup, paths):
        return []
    if law is None and is_listing(text, paths.end):
        return []
    end = law.end if law else paths.end
    document = law.document if law else None
    kind: ReferenceKind = "legal_section" if document else "section"
    relative = document is None and (relative_unit or law is not None)
    last = len(paths.items) - 1
    return [
        FormMatch(
            at,
            end,
            kind,
            spell(path, law.canonical if law else None),
            document,
            path,
            paths.following and i == last,
            relative,
        )
        for i, path in enumerate(paths.items)
    ]


def _of_annex(text: str, paths: Paths) -> Paths:
    """Put an annex named after its part first in the path: "Nummer 34 der Anlage 2 zum Umsatzsteuergesetz"."""
    of = _OF_ANNEX.match(text, paths.end)
    annex = read_paths(text, of.end(), None) if of else None
    if not annex or len(annex.items) != 1 or annex.items[0][0][0] not in ("Anlage", "Anhang"):
        return paths
    return Paths([(*annex.items[0], *path) for path in paths.items], annex.end)


def _is_label(scan: Scan, at: int, unit: str, paths: Paths) -> bool:
    """Return whether the number belongs to the noun before it ("Haftbefehl Nr. 12") or is the annex's own heading."""
    if unit in _RELATIVE_UNITS:
        before = _WORD_BEFORE.search(scan.text, max(0, at - 40), at)
        return unit == "Nr" and bool(before) and len(paths.items[0]) == 1
    return len(paths.items) == 1 and len(paths.items[0]) == 1 and is_heading(scan.text, at, paths.end)


def parse_this(scan: Scan, at: int) -> list[FormMatch]:
    """Read "dieses Gesetzes", "dieser Verordnung", "dieses Abschnitts": the containing place itself."""
    match = _THIS.match(scan.text, at)
    if not match:
        return []
    return [FormMatch(at, match.end(), "section", " ".join(match[0].split()), relative=True)]


def parse_previous(scan: Scan, at: int) -> list[FormMatch]:
    """Read "der vorstehende Paragraph": the place before the containing one."""
    start = at
    before = re.compile(r"[Dd](?:er|em|es|en|ie|as)\s\Z").search(scan.text, max(scan.floor, at - 4), at)
    if before:
        start = before.start()
    match = _PREVIOUS.match(scan.text, start)
    if not match:
        return []
    return [FormMatch(start, match.end(), "section", " ".join(match[0].split()), relative=True)]


_PART_WORDS = "Absatz Absätze Abs. Satz Sätze Nummer Nr. Nrn. Ziffer Ziff. Buchstabe Buchst. Doppelbuchstabe lit."
_ANNEX_WORDS = "Anlage Anl. Anhang Anhänge Tabelle Spalte Abschnitt Kapitel Abbildung Abb."
_PART_TRIGGERS = (*_PART_WORDS.split(), *_ANNEX_WORDS.split(), "Abs ", "Teil ", "Teils", "Teile ")
FORMS = (
    Form("German part of a section, annex or table", _PART_TRIGGERS, parse_part),
    Form("this Act", ("diese", "Diese", "vorliegende"), parse_this),
    Form(
        "the preceding section",
        ("vorstehend", "vorhergehend", "vorangehend", "vorige", "nachfolgend", "nachstehend"),
        parse_previous,
    ),
)

"""Recognises unregistered laws named alone by their shape: "Antiterrorismusgesetz", "SächsRKG"."""

from __future__ import annotations

import re

from rabbithole.kb.references.grammar.form import WS1, Form, FormMatch, Scan, compound_start
from rabbithole.kb.references.names.name_index import NameHit

from .acts import LONG

_STATES = (
    "Badisch|Baden-Württembergisch|Bayerisch|Brandenburgisch|Bremisch|Hamburgisch|Hessisch|Niedersächsisch"
    "|Nordrhein-Westfälisch|Rheinland-Pfälzisch|Saarländisch|Sächsisch|Schleswig-Holsteinisch|Österreichisch"
)
_STATE = re.compile(rf"(?:(?:{_STATES})e[nrsm]?|Berliner|Bremer|Thüringer|Schweizer)\s\Z")
_COMPOUND_END = re.compile(r"gesetz(?:es|buch(?:e?s)?)?(?![\w-])")
_TITLED = re.compile(rf"(?:Gesetz(?:es)?|Verordnung){WS1}(?:über|zur|zum|betreffend|zu|für|gegen)\b")
_SHORT = re.compile(r"[(<]\s?(?:[^()<>]{0,50}[\s–-])?([A-ZÄÖÜ][\wÄÖÜäöüß-]*[A-ZÄÖÜ][\w-]*)\s?[)>]")
_INDEFINITE = re.compile(r"\bein(?:em|es)?\s\Z")
_GENERIC = frozenset(
    "natur bundes landes änderungs ausführungs einführungs zustimmungs vertrags steuer verfassungs maßnahme "
    "einzelfall fach rahmen parlaments reform umsetzungs "
    "haushalts sonder spezial straf grund begleit artikel mantel fremd alt neu kirchen moral sitten zeit entwurfs "
    "gegen referenten landesverfassungs einspruchs "
    "verwaltungs verfahrens bezugs stamm ablösungs überleitungs anpassungs bewegungs fall gravitations kausal "
    "ermächtigungs durchführungs partei gesamt".split()
)
_STATE_PREFIX = "Sächs|Bay|Bbg|Hbg|Hmb|Hess|Nds|Thür|Brem|Bln|BW|NRW|NW|SH|LSA|MV|RhPf|Saarl|L|Bad|Hmb"
_ABBREVIATION = re.compile(rf"(?:{_STATE_PREFIX})[A-ZÄÖÜ][A-Za-zäöüÄÖÜ]{{0,14}}(?:G|VO|GB|O)(?![\w-])")


def parse_compound(scan: Scan, at: int) -> list[FormMatch]:
    """Read a singular compound in "gesetz" with five letters or more before it; generic ones are not names."""
    text = scan.text
    end = _COMPOUND_END.match(text, at)
    if not end:
        return []
    start = compound_start(scan, at)
    head = text[start:at]
    if len(head) < 5 or not head[:1].isupper() or head.lower().strip("-") in _GENERIC or not scan.german:
        return []
    if start in scan.names or end.end() in scan.name_ends or _INDEFINITE.search(text, max(0, start - 8), start):
        return []
    state = _STATE.search(text, max(scan.floor, start - 28), start)
    start = state.start() if state else start
    name = " ".join(text[start : end.end()].split())
    return [FormMatch(start, end.end(), "document_mention", name, name)]


def parse_abbreviation(scan: Scan, at: int) -> list[FormMatch]:
    """Read an abbreviation with a state's prefix: "SächsRKG"."""
    match = _ABBREVIATION.match(scan.text, at)
    return [FormMatch(at, match.end(), "document_mention", match[0], match[0])] if match and scan.german else []


_MIXED_CASE = re.compile(
    r"[A-ZÄÖÜ]{1,4}+(?:[a-zäöüß]{1,9}+[A-ZÄÖÜ]{1,4}+){1,4}+(?<=[GVO])(?<![A-Za-z][a-z][VO])(?![\w-])(?:-(?:RL"
    r"|VO)(?![\w-]))?|[A-ZÄÖÜ]{1,5}+(?:[a-zäöüß]{1,9}+[A-ZÄÖÜ]{1,4}+)?-(?:RL|VO)(?![\w-])"
)
_COURTS = frozenset("BVerfG BVerwG BPatG LVerfG VerfG VerwG OVerwG HzV AdV BesG KommV".split())


def shaped(text: str) -> dict[int, NameHit]:
    """Return mixed-case abbreviations shaped like those of German laws, by start: "LWaldG", "BilMoG", "DGL-VO"."""
    return {
        match.start(): NameHit(match.start(), match.end(), match[0], law=True)
        for match in _MIXED_CASE.finditer(text)
        if match[0] not in _COURTS
        and not (match.start() and (text[match.start() - 1].isalnum() or text[match.start() - 1] in "-_/."))
    }


def parse_titled(scan: Scan, at: int) -> list[FormMatch]:
    """Read a title with its abbreviation, which becomes the name: "Gesetz über die ... (AbfVerbrG)"."""
    match = _TITLED.match(scan.text, at)
    title = LONG.match(scan.text, at) if match and at not in scan.names else None
    short = _SHORT.search(title[0]) if title else None
    return [FormMatch(at, title.end(), "document_mention", short[1], short[1])] if title and short else []


FORMS = (
    Form(
        "title of a law with its abbreviation",
        ("Gesetz ", "Gesetzes ", "Gesetz\n", "Gesetzes\n", "Verordnung "),
        parse_titled,
    ),
    Form("compound law name", ("gesetz",), parse_compound, inside_word=True),
    Form(
        "abbreviation of a state's law",
        tuple(prefix for prefix in _STATE_PREFIX.split("|") if len(prefix) > 2),
        parse_abbreviation,
    ),
)

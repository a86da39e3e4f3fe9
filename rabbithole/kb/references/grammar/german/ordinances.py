"""Recognises unregistered rules of organisations by their shape: "die Immatrikulationsordnung der HTW Dresden"."""

from __future__ import annotations

import re

from rabbithole.kb.references.grammar.form import WS, WS1, Form, FormMatch, Scan, compound_start

from .acts import NOUN, PHRASE

_DEFINITE = re.compile(r"\b(?:[Dd]er|[Dd]ie|[Dd]en|[Dd]es)\s{1,2}\Z")
_KIND = r"(?:ordnung|satzung|richtlinie)"
_BODY = (
    r"(?:[A-ZÄÖÜ]{2,}[\w/.-]*|[A-ZÄÖÜ]\w*?(?:hochschule|universität|fakultät|kammer|verband|verein|gesellschaft|stiftung|"
    r"akademie|anstalt|behörde|gemeinde|kreis|institut|amt)(?:e?s|en)?|Hochschule|Universität|Fakultät|Stadt|Gemeinde|"
    r"Vereins?|Kammer|Bundestage?s|Landtage?s|Verbande?s|Stiftung|Gesellschaft|Klinikums?|Landkreises)"
)
_OF_BODY = re.compile(
    rf"{_KIND}(?P<body>{WS1}(?:der|des){WS1}(?:[A-ZÄÖÜ]\w+(?:en|er|es|e){WS1})?{_BODY}(?![\w-])"
    rf"(?:{WS1}(?:(?:für|und|in|an|der|des){WS1}){{0,2}}[A-ZÄÖÜ][\w/-]*){{0,6}}(?:{WS1}e\.{WS}V\.)?)"
)
_NOT_RULES = re.compile(
    r"(?:rechts|tages|größen|ver|an|zu|ab|ein|un|rang|neben|über|unter|wert|welt|wirtschafts|gesellschafts|raum|lebens|"
    r"um|bei|sitz|familien|friedens|staats|grund|verfassungs|be|er)\Z",
    re.I,
)
_TITLED = re.compile(
    rf"(?:Ordnung|Satzung|Richtlinie|Dienstvereinbarung|Betriebsvereinbarung){WS1}(?:über|zur|zum)(?!\w)"
    rf"(?:{WS1}(?:die|das|den|der))?(?:{WS1}[a-zäöüß]{{2,30}}(?:en|er|es|em|e)){{0,3}}{WS1}{NOUN}(?:{PHRASE}){{0,8}}"
    rf"(?:/{NOUN})?"
)
_BRACKETED = re.compile(
    rf"\({WS}(?P<long>[A-ZÄÖÜ][\wäöüß-]{{3,60}}(?:ordnung|satzung|richtlinie)){WS}[–—-]{WS}"
    rf"(?P<short>[A-ZÄÖÜ][\wÄÖÜäöüß/-]{{1,15}}){WS}\)"
)


def parse_of_body(scan: Scan, at: int) -> list[FormMatch]:
    """Read a compound in "-ordnung", "-satzung" or "-richtlinie" with the organisation whose rules they are."""
    text = scan.text
    end = _OF_BODY.match(text, at) if scan.german else None
    if not end:
        return []
    start = compound_start(scan, at)
    head = text[start:at]
    if len(head) < 4 or not head[:1].isupper() or _NOT_RULES.search(head) or start in scan.names:
        return []
    if not _DEFINITE.search(text, max(scan.floor, start - 6), start):
        return []
    name = " ".join(text[start : end.end()].split())
    return [FormMatch(start, end.end(), "document_mention", name, name)]


def parse_titled(scan: Scan, at: int) -> list[FormMatch]:
    """Read a title after a definite article: "die Richtlinie über die Erstattung von Reisekosten"."""
    match = _TITLED.match(scan.text, at) if scan.german and at not in scan.names else None
    if match is None or not _DEFINITE.search(scan.text, max(scan.floor, at - 6), at):
        return []
    name = " ".join(match[0].split())
    return [FormMatch(at, match.end(), "document_mention", name, name)]


def parse_bracketed(scan: Scan, at: int) -> list[FormMatch]:
    """Read the short names of rules whose title came before: "(Praxisordnung – PraxO)"."""
    match = _BRACKETED.match(scan.text, at) if scan.german else None
    if match is None or any(start in scan.names for start in (match.start("long"), match.start("short"))):
        return []
    return [FormMatch(match.start("long"), match.end("short"), "document_mention", match["short"], match["short"])]


FORMS = (
    Form("rules of a body", ("ordnung", "satzung", "richtlinie"), parse_of_body, inside_word=True),
    Form(
        "rules by their title",
        ("Ordnung ", "Satzung ", "Richtlinie ", "Dienstvereinbarung ", "Betriebsvereinbarung "),
        parse_titled,
    ),
    Form("short names in brackets", ("(",), parse_bracketed),
)

"""Documents after a word for document: 'siehe Dokument "Sicherheitsbericht"', "gemäß Unterlage 4711"."""

from __future__ import annotations

import re

from .form import WS, WS1, Form, FormMatch, Scan, compound_start

_QUOTED = "[\"„“”»«‚'’]"
_NAMED = re.compile(
    rf"(?:Dokument(?:s|es)?|Unterlagen?|Bericht(?:s|es)?|Dokumentation|Anweisung|Gutachten|[Dd]ocument|[Rr]eport)"
    rf"(?:{WS1}(?:Nr\.?|No\.?|Nummer){WS})?{WS1}"
    rf"(?:{_QUOTED}(?P<quoted>[^\"„“”»«‚’\n]{{2,120}}){_QUOTED}"
    rf"|(?P<number>[A-Z0-9][A-Za-z0-9]*(?:[-/.][A-Za-z0-9]+){{0,6}}))(?!\w)"
)


_DETERMINED = re.compile(
    r"(?:\b(?:the|this|that|these|those|an?|its|our|their|your|his|her|see|in|per|of|from|by|with|under|and|or|new|last"
    r"|final|"
    r"first|annual|technical|internal|test|research|progress|status|full)|[,;:(\[]|[’']s)\s{1,2}(?:[A-Za-z-]{3,20}\s{1,2}){0,2}\Z"
)
_VERB = re.compile(
    r"\b(?:to|will|would|can|could|may|might|must|shall|should|not|never|always|also|we|you|they|it|I|who|which"
    r"|do|does|did|please|then|users|programs|systems)\s{1,2}\Z",
    re.IGNORECASE,
)
"""Words before "report" or "document" as a verb."""
_ISSUER = re.compile(r"(?:\b[A-Z][A-Z/-]+|\))\s{1,2}\Z")
"""Who issued a document: 'GAO report GAO-12-757'."""
_BEFORE = 60


def _is_verb(text: str, at: int) -> bool:
    """Return whether "report" or "document" in small letters is what somebody does: 'will report "Low Battery"'."""
    if not text[at].islower():
        return False
    start = max(0, at - _BEFORE)
    named = at == 0 or _ISSUER.search(text, start, at) or _DETERMINED.search(text, start, at)
    return bool(_VERB.search(text, start, at)) or not named


def parse(scan: Scan, at: int) -> list[FormMatch]:
    """Read a quoted title, or a number with at least one digit on the same line, after a word for document.

    Below a heading that ends with such a word stands the number of the next heading.
    """
    match = _NAMED.match(scan.text, at)
    if not match or _is_verb(scan.text, at):
        return []
    name = match["quoted"] or match["number"]
    if match["number"] and ("\n" in match[0] or not _is_number(match[0], name)):
        return []
    name = " ".join(name.split())
    return [FormMatch(at, match.end(), "document", name, name)]


def _is_number(mention: str, name: str) -> bool:
    """Return whether the text after the word is a document's number, unlike a report "of 2019" or "of 12 pages"."""
    joined = bool(re.search(r"\d[-/.]?[A-Za-z]|[A-Za-z][-/.]?\d|\d[-/.]\d", name))
    return joined or (not mention.lower().startswith(("bericht", "report")) and bool(re.search(r"\d{2}", name)))


_PLACE_BEHIND = re.compile(rf"(?:e?s)?,{WS1}(?:Abschnitt|Kapitel|Anhang|Seite|S\.){WS1}[A-Z]?\d")


def parse_handbook(scan: Scan, at: int) -> list[FormMatch]:
    """Read a handbook named by its subject, with a place in it: 'Kate-Handbuch, Abschnitt 5.3'."""
    start, end = compound_start(scan, at), at + len("-Handbuch")
    if not scan.text[start : start + 1].isupper() or not _PLACE_BEHIND.match(scan.text, end):
        return []
    name = scan.text[start:end]
    return [FormMatch(start, end, "document_mention", name, name)]


FORMS = (
    Form("handbook of a subject", ("-Handbuch", "-handbuch"), parse_handbook, inside_word=True),
    Form(
        "named document",
        ("Dokument", "Unterlage", "Bericht", "Anweisung", "Gutachten", "document ", "Document ", "report ", "Report "),
        parse,
    ),
)

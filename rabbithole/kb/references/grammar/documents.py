"""Documents after a word for document: 'siehe Dokument "Sicherheitsbericht"', "gemäß Unterlage 4711"."""

from __future__ import annotations

import re

from .form import WS, WS1, Form, FormMatch, Scan

_QUOTED = "[\"„“”»«‚'’]"
_NAMED = re.compile(
    rf"(?:Dokument(?:s|es)?|Unterlagen?|Bericht(?:s|es)?|Dokumentation|Anweisung|Gutachten|[Dd]ocument|[Rr]eport)"
    rf"(?:{WS1}(?:Nr\.?|No\.?|Nummer){WS})?{WS1}"
    rf"(?:{_QUOTED}(?P<quoted>[^\"„“”»«‚’\n]{{2,120}}){_QUOTED}"
    rf"|(?P<number>[A-Z0-9][A-Za-z0-9]*(?:[-/.][A-Za-z0-9]+){{0,6}}))(?!\w)"
)


def parse(scan: Scan, at: int) -> list[FormMatch]:
    """Read a quoted title, or a number with at least one digit on the same line, after a word for document.

    Below a heading that ends with such a word stands the number of the next heading.
    """
    match = _NAMED.match(scan.text, at)
    if not match:
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


FORMS = (
    Form(
        "named document",
        ("Dokument", "Unterlage", "Bericht", "Anweisung", "Gutachten", "document ", "Document ", "report ", "Report "),
        parse,
    ),
)

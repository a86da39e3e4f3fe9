"""Mask personal data in a text: e-mail addresses, phone numbers, IBANs, identity numbers, and names next to them."""

from __future__ import annotations

import re
from typing import Any

MASK = "█████"

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ ]?[0-9A-Z]{4}){3,7}(?:[ ]?[0-9A-Z]{1,3})?\b")
PHONE = re.compile(
    r"(?:(?<=Tel\.)|(?<=Tel:)|(?<=Telefon:)|(?<=Phone:)|(?<=Fax:)|(?<=Mobil:))\s*\+?[\d ()/-]{6,}\d"
    r"|\+\d{1,3}[ ()/-]*\d[\d ()/-]{5,}\d|\b0\d{2,5}[ ]?[/-][ ]?\d{3,}(?:[ -]\d+)*"
)
# German identity card and tax numbers, US social security and passport numbers; by a label or by their own form.
IDENTITY = re.compile(
    r"\b\d{3}-\d{2}-\d{4}\b"
    r"|(?<=Steuer-ID )\d{11}\b|(?<=Steuer-ID: )\d{11}\b|(?<=IdNr. )\d{2} ?\d{3} ?\d{3} ?\d{3}\b"
    r"|(?<=Ausweisnummer )[A-Z0-9]{9,10}\b|(?<=Ausweisnummer: )[A-Z0-9]{9,10}\b|(?<=passport no. )[A-Z0-9]{8,9}\b"
)
# Two capitalised words followed by punctuation; without it they may be any German nouns, which are all capitalised.
_WORD = r"[A-ZÄÖÜ][a-zäöüß]+(?:-[A-ZÄÖÜ][a-zäöüß]+)?"
_LABEL = r"(?:Tel|Telefon|Fax|Mobil|Phone|E-?[Mm]ail|Mail|IBAN|Kto)\.?:?"
NAME = re.compile(
    rf"(?:(?:Dr|Prof|Herr|Frau|Mr|Mrs|Ms)\.?\s+)*{_WORD}(?:\s+[A-ZÄÖÜ]\.)?\s+{_WORD}(?=\s*[,;:(<|–-]+\s*(?:{_LABEL}\s*)*$)"
)
NEAR = 60
KEPT = frozenset({"run_id", "document", "section", "chunk", "key", "path", "file", "marker", "id", "external"})


def personal(text: str) -> tuple[list[tuple[int, int]], frozenset[str]]:
    """Return the spans of personal data, and the surnames directly before such data."""
    spans: list[tuple[int, int]] = []
    surnames: set[str] = set()
    for pattern in (EMAIL, IBAN, PHONE, IDENTITY):
        for match in pattern.finditer(text):
            start, end = match.span()
            start += len(match.group(0)) - len(match.group(0).lstrip())
            spans.append((start, end))
            line = max(text.rfind("\n", 0, start) + 1, start - NEAR)
            name = NAME.search(text[line:start])
            if name:
                spans.append((line + name.start(), line + name.end()))
                surnames.add(name.group(0).split()[-1])
    return spans, frozenset(surnames)


def redact(text: str, surnames: frozenset[str] = frozenset()) -> str:
    """Return the text with personal data masked; surnames found next to such data are masked wherever they occur.

    ``surnames`` are further names to mask, found in other texts.
    """
    spans, found = personal(text)
    for surname in surnames | found:
        spans += [match.span() for match in re.finditer(rf"\b{re.escape(surname)}\b", text)]
    return _mask(text, spans)


def redact_values(value: Any, surnames: frozenset[str] = frozenset()) -> Any:
    """Return nested dicts and lists with every text redacted; ids and paths stay unchanged."""
    if isinstance(value, str):
        return redact(value, surnames)
    if isinstance(value, dict):
        return {name: one if name in KEPT else redact_values(one, surnames) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [redact_values(one, surnames) for one in value]
    return value


def _mask(text: str, spans: list[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in sorted(spans):
        if start < at:
            at = max(at, end)
            continue
        pieces += [text[at:start], MASK]
        at = end
    return "".join(pieces) + text[at:]

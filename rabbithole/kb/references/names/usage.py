"""Whether a collection uses an acronym as the name of a document: 'see IDPS', 'Section 3 of IDPS'; or as a word."""

from __future__ import annotations

import re

_LEAST_CITED = 2
_LEAST_SHARE = 0.2
_UNIT = (
    r"(?:[Ss]ections?|[Cc]hapters?|[Cc]lauses?|[Aa]ppendix|[Aa]nnex|[Tt]able|[Pp]aragraphs?|Abschnitt|"
    r"Kapitel|Anlage|Anhang|Tabelle|Nummer|Nr\.|§§?|Art(?:ikel|\.)|[Aa]rticles?)"
)
_BEFORE = re.compile(
    rf"(?:\b(?:see(?: also)?|according to|in accordance with|as (?:defined|specified|described|required|set out|"
    rf"stated) (?:in|by)|"
    rf"siehe(?: auch)?|gemäß|vgl\.|nach Maßgabe (?:der|des)|{_UNIT}\s*[\dA-Z][\w.()]*\s+(?:of|in|from|der|des|"
    rf"von))\s+(?:the\s+|der\s+|des\s+)?)$"
)
_AFTER = re.compile(rf"^(?:,?\s+{_UNIT}\s*[\dA-Z])")
_WORD = re.compile(r"[^\W_]+")


def acronym_of(name: str) -> str:
    """The word of a name by which texts that may have it are found: its longest with two capitals; '' without one."""
    return max(acronyms_in(name), key=lambda word: (len(word), word), default="")


def acronyms_in(text: str) -> frozenset[str]:
    """The words of a text with two capitals or more."""
    capital = (word for word in set(_WORD.findall(text)) if word[1:] != word[1:].lower())  # few: looked at by letter
    return frozenset(word for word in capital if sum(map(str.isupper, word)) > 1)


def counts_as_a_name(cited: int, seen: int) -> bool:
    """Twice or more as a document, and in a fifth of its places."""
    return cited >= _LEAST_CITED and cited >= _LEAST_SHARE * seen


def usage_in(text: str, name: str) -> tuple[int, int, str]:
    """(times cited as a document, times seen, one place) of a name in one text."""
    cited = seen = 0
    example = ""
    for found in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
        seen += 1
        before = " ".join(text[max(0, found.start() - 60) : found.start()].split(" "))
        if _BEFORE.search(before) or _AFTER.match(text[found.end() : found.end() + 30]):
            cited += 1
            example = example or " ".join(text[max(0, found.start() - 40) : found.end() + 30].split())
    return cited, seen, example

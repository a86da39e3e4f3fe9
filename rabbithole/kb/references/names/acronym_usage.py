"""Tell whether a collection uses an acronym as the name of a document ('see IDPS', 'Section 3 of IDPS') or a word."""

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
    """Return the longest word of a name with two capitals, by which texts with the name are found, or ''."""
    return max(acronyms_in(name), key=lambda word: (len(word), word), default="")


def acronyms_in(text: str) -> frozenset[str]:
    """Return the words of a text with two or more capitals."""
    # Only the few words with a capital after the first letter are examined letter by letter.
    capital = (word for word in set(_WORD.findall(text)) if word[1:] != word[1:].lower())
    return frozenset(word for word in capital if sum(map(str.isupper, word)) > 1)


def counts_as_a_name(cited: int, seen: int) -> bool:
    """Return whether an acronym is cited as a document at least twice and in at least a fifth of its uses."""
    return cited >= _LEAST_CITED and cited >= _LEAST_SHARE * seen


def usage_in(text: str, name: str) -> tuple[int, int, str]:
    """Return how often a name is cited as a document in a text, how often it occurs, and one citation or ''."""
    cited = seen = 0
    example = ""
    for found in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
        seen += 1
        before = " ".join(text[max(0, found.start() - 60) : found.start()].split(" "))
        if _BEFORE.search(before) or _AFTER.match(text[found.end() : found.end() + 30]):
            cited += 1
            example = example or " ".join(text[max(0, found.start() - 40) : found.end() + 30].split())
    return cited, seen, example

"""Finds what an abbreviation stands for: the name that a document spells out before it. Pure."""

from __future__ import annotations

import re

_BEFORE = 300
"""Most characters before an abbreviation in which its name is looked for."""
_ABBREVIATION = re.compile(r"\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ\d]\w*|[A-ZÄÖÜ][a-zäöüß]{1,3}[A-ZÄÖÜ]\w*")
_OPENS = re.compile(r"\s?(?:\(|\s[–-])\s?(?:(?:kurz|im Folgenden|nachfolgend|hereinafter|short)[:,]?\s)?[„“\"]?\Z")
"""What stands between a name and its abbreviation: 'Laborordnung (LabO)', '(Laborordnung – LabO –)'."""
_BEGINS = (
    re.compile(r"(?:\(|\b(?:[Dd](?:er|ie|as|es|em|en)|[Tt]he)\s+)(?P<name>[A-ZÄÖÜ])"),
    re.compile(r"(?:\A|[.;:]\s*)(?P<name>[A-ZÄÖÜ])"),
)
"""Where a name may begin: behind an article or a bracket, or else at the beginning of a sentence."""
_INSIDE = re.compile(r"[().;:\n]\s*[A-ZÄÖÜ(]|[()]")
LONGEST = 160


def full_name(name: str, text: str) -> str:
    """Return what an abbreviation stands for, as a text first defines it, with the abbreviation; else the name.

    The name must begin with the letter the abbreviation begins with: in 'the rules of the Key Plan (KP)' only 'Key
    Plan' does.
    """
    if not _ABBREVIATION.fullmatch(name):
        return name
    for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        before = " ".join(text[max(0, found.start() - _BEFORE) : found.start()].split())
        opens = _OPENS.search(f"{before} " if text[found.start() - 1 : found.start()].isspace() else before)
        if opens is None:
            continue
        before = before[: opens.start()]
        begun = (one for begins in _BEGINS for one in begins.finditer(before))
        starts = (one.start("name") for one in begun if one["name"] == name[0])
        spelled = next((before[at:].strip(' „“"') for at in starts if not _INSIDE.search(before[at:])), "")
        if len(name) < len(spelled) <= LONGEST:
            return f"{spelled} ({name})"
    return name

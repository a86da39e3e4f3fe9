"""Names with a number that a question asks about, such as "Debian 2.0": a text on "Debian 1.2" is on something else."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rabbithole.kb.notation.months import MONTH
from rabbithole.kb.search.fiscal_years import is_of_year

from .models import QuestionPart
from .question import refers_back

_PLACE = (
    r"(?:Sections?|Sec|Chapters?|Tables?|Figures?|Fig|Art|Artikel|Articles?|Abs|Absatz|Satz|Nr|No|Nummer|Anlage|Anhang|"
    r"Annex|Appendix|Part|Teil|Kapitel|Abschnitt|Seite|Page|Steps?|Schritt|Example|Beispiel|Rule|Regel|Note|Item|Versions?|Release)"
)
_NUMBERED = re.compile(
    rf"\b(?!(?:{_PLACE}|{MONTH})\b)(?P<name>[A-ZÄÖÜ][\w+-]*[A-Za-z+])"
    r"(?: (?:[Vv]ersion |[Rr]elease |v)?|-|/)(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})(?![\w%]|[.,]\d)"
)


def numbered_names(text: str) -> dict[str, frozenset[str]]:
    """Return the names in a text that have a number, in small letters, each with its numbers. Places are none.

    >>> numbered_names("Is TLS 1.0 as safe as TLS version 1.2 (Section 3)?")
    {'tls': frozenset({'1.0', '1.2'})}
    """
    found: dict[str, set[str]] = {}
    for one in _NUMBERED.finditer(text):
        found.setdefault(one["name"].casefold(), set()).add(one["number"])
    return {name: frozenset(numbers) for name, numbers in found.items()}


def numbers_asked(part: QuestionPart) -> dict[str, frozenset[str]]:
    """Return the numbered names that a part of a question is about: its own, or the whole's if it refers back."""
    own = numbered_names(part.text)
    return numbered_names(part.whole) if not own and refers_back(part.text) else own


def is_of_another_number(part: QuestionPart, asked: Mapping[str, frozenset[str]], text: str) -> bool:
    """Return whether a text is about another edition or year than is asked for: it names others and not this one."""
    said = numbered_names(text) if asked else {}
    others = any(name in said and not said[name] & numbers for name, numbers in asked.items())
    return others or not is_of_year(part.text, text)

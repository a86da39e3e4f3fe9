"""Names with a number or letter that a question asks about: a text on "Debian 1.2" is not on "Debian 2.0".

Classes are such names, too: "class F", "Klasse B", "category 2".
"""

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
_KIND = (
    r"(?:(?i:class|categor(?=y|ies)|grade|tier|zone|stage|phase|vitamin|hepatitis)|[Ll]evel|[Tt]ype|[Gg]roup|"
    r"[A-ZÄÖÜ]?[a-zäöü-]*(?:klasse|kategorie|gruppe|stufe)|Klasse|Kategorie|Gruppe|Stufe|Zone|Typ|Phase)"
)
_MEMBER = r"(?:III?|IV|VI{1,3}|[A-HJ-Z]\d{0,2}|\d{1,2})"
_RANGE = r"(?: ?[–-] ?| (?:to|bis) )"
_MEMBERS = re.compile(
    rf"\b(?P<kind>{_KIND})(?:es|ies|y|s|n)?[ -]"
    rf"(?P<members>{_MEMBER}(?:(?:{_RANGE}|, ?| ?/ ?| (?:and|or|und|oder) ){_MEMBER})*)(?![\w%+#]|[.,]\d)"
)
_SPAN = re.compile(rf"(?P<first>{_MEMBER})(?:{_RANGE}(?P<last>{_MEMBER}))?")


def numbered_names(text: str) -> dict[str, frozenset[str]]:
    """Return the names in a text that have a number or are classes, in small letters, each with its numbers or letters.

    Places are none.

    >>> numbered_names("Is TLS version 1.2 as safe as the others (Section 3)?")
    {'tls': frozenset({'1.2'})}
    >>> sorted(numbered_names("Classes A to C and F")["class"])
    ['A', 'B', 'C', 'F']
    """
    found: dict[str, set[str]] = {}
    for one in _NUMBERED.finditer(text):
        found.setdefault(one["name"].casefold(), set()).add(one["number"])
    for one in _MEMBERS.finditer(text):
        for span in _SPAN.finditer(one["members"]):
            found.setdefault(one["kind"].casefold(), set()).update(_members(span["first"], span["last"]))
    return {name: frozenset(numbers) for name, numbers in found.items()}


def _members(first: str, last: str | None) -> set[str]:
    """Return the members of a range such as "A to C" or "1-3"; of other ranges, the two that are named."""
    if last is None:
        return {first}
    if first.isdigit() and last.isdigit():
        return {str(number) for number in range(int(first), int(last) + 1)}
    if len(first) == len(last) == 1:
        return {chr(letter) for letter in range(ord(first), ord(last) + 1)}
    return {first, last}


def numbers_asked(part: QuestionPart) -> dict[str, frozenset[str]]:
    """Return the numbered names that a part of a question is about: its own, or the whole's if it refers back."""
    own = numbered_names(part.text)
    return numbered_names(part.whole) if not own and refers_back(part.text) else own


def is_of_another_number(part: QuestionPart, asked: Mapping[str, frozenset[str]], text: str) -> bool:
    """Return whether a text is about another edition or year than is asked for: it names others and not this one."""
    said = numbered_names(text) if asked else {}
    others = any(name in said and not said[name] & numbers for name, numbers in asked.items())
    return others or not is_of_year(part.text, text)

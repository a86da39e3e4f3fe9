"""Call-outs by number in round brackets: "aligned with MAFFT (11) and ProbCons (23)".

Such brackets mean many things, so the whole text must cite this way: with no other style of call-out, no statutes and,
in a long text, a dense set of numbers.
"""

from __future__ import annotations

import re

from .form import WS, Form, FormMatch, Scan
from .numbers import expand

SHORT_TEXT = 5000
LEAST_CALLOUTS = 8
MAX_NUMBER = 400

_DASH = "[-–]"
_ITEMS = rf"(\d{{1,3}}(?:{WS}(?:,|{_DASH}){WS}\d{{1,3}}(?!\d)){{0,20}})"
_CALLOUT = re.compile(rf"\({_ITEMS}\)(?![\w(–-])(?!{WS}\d)")
_ITEM = re.compile(rf"(\d{{1,3}})(?:{WS}{_DASH}{WS}(\d{{1,3}}))?")
_BEFORE = re.compile(r"([\w.’'-]{2,40})[”\"')]?\s{1,3}\Z")
_THOUSANDS = re.compile(r"\A\d{1,3},\d{3}\Z")
_OTHER_STYLE = re.compile(r"\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\]|§|\b(?:19|20)\d\d[a-z]?\)|U\.S\.C|CFR|\n\(\d{1,2}\)\s")
# Words after which a bracket holds another kind of number or opens an enumeration.
_NOT_BEFORE = frozenset(
    "equation equations eq eqs eqn eqns step steps case cases condition conditions type types item items figure "
    "figures "
    "fig table tables compound compounds section sections paragraph paragraphs subparagraph subsection clause absatz "
    "satz nr nummer formula note phase stage group groups no class sample and or the of in by from to is was are level "
    "model reaction rule part article form number numbers one two three four five six seven eight nine ten eleven "
    "twelve fifteen sixteen twenty thirty forty fifty sixty ninety hundred und oder der die das expression relation "
    "see also formulas inequality theorem lemma question variable category option zone grade version regarding must "
    "check as with for at that either both through bis ein zwei drei vier fünf sechs sieben acht neun zehn".split()
)


def _candidate(text: str, match: re.Match[str]) -> list[str]:
    """Return the numbers in the brackets if they can be a call-out here, else []."""
    before = _BEFORE.search(text, max(0, match.start() - 44), match.start())
    if not before or _THOUSANDS.match(match[1]):
        return []
    word = before[1].lower()
    if word.rstrip(".") in _NOT_BEFORE or word.endswith(".") or not any(char.isalpha() for char in word):
        return []
    values: list[str] = []
    for item in _ITEM.finditer(match[1]):
        if item[2] and int(item[1]) >= int(item[2]):
            return []
        values += expand(item[1], item[2]) if item[2] else [item[1]]
    numbers = [int(value) for value in values]
    if min(numbers) == 0 or max(numbers) > MAX_NUMBER or re.search(r"(?<!\d)0", match[1]):
        return []
    return list(dict.fromkeys(values))


def cites_in_round_brackets(text: str, *, german: bool = False) -> bool:
    """Return whether the text as a whole cites this way."""
    if _OTHER_STYLE.search(text):
        return False
    if len(text) <= SHORT_TEXT:
        return not german  # the reference signs of a German patent look the same
    callouts = [values for match in _CALLOUT.finditer(text) if (values := _candidate(text, match))]
    numbers = {int(value) for values in callouts for value in values}
    dense = bool(numbers) and min(numbers) <= 3 and max(numbers) <= 2.5 * len(numbers) + 5
    return len(callouts) >= LEAST_CALLOUTS and dense


def parse(scan: Scan, at: int) -> list[FormMatch]:
    """Read "(23)", "(10,45)", "(3-5)" after a word."""
    match = _CALLOUT.match(scan.text, at)
    values = _candidate(scan.text, match) if match else []
    if not match or not values:
        return []
    if scan.round_brackets is None:
        scan.round_brackets = cites_in_round_brackets(scan.text, german=scan.german)
    if not scan.round_brackets:
        return []
    return [FormMatch(at, match.end(), "academic_numbered", f"[{value}]", None, (("ref", value),)) for value in values]


FORMS = (Form("number in round brackets", ("(",), parse),)

"""Recognises a sentence that needs the one before it: "Entsprechendes gilt ...", "... these cookies". Pure."""

from __future__ import annotations

import re

from rabbithole.steps.reasoning.text.sentences import sentences

_REFERS_BACK = re.compile(
    r"\W{0,3}(?:This|These|Those|That|Such|It|They|However|Therefore|Thus|Otherwise|Moreover|"
    r"In (?:this|that|such|these)|In case (?:this|that|of this|of such)|"
    r"If (?:this|that|so|not(?=,| then))|Else(?=,)|Its|Their|Hence|Consequently|"
    r"Further(?:more)?|Also|Additionally|In addition|Similarly|Likewise|The same (?:applies|goes|holds|is true)|"
    r"Falls (?:dies|ja)|(?:Wenn|Sollte) (?:dies|das)|(?:Falls|Wenn) nicht(?=,)|Sonst|Ansonsten|"
    r"Dies(?:e[rnsm]?)?|Jene[rnsm]?|Solche[rnsm]?|Es|Sie|Er|Dabei|Hierzu|Hierbei|Dazu|"
    r"Dafür|Daher|Deshalb|Jedoch|Andernfalls|Seine[rnsm]?|Ihre[rnsm]?|Deren|Dessen|"
    r"Entsprechende[sn]? (?:gilt|gelten)|(?:Das )?Gleiche[sn]? (?:gilt|gelten)|Das gleiche gilt|Ebenso|Ferner|"
    r"Außerdem|Zudem|Weiterhin|Darüber hinaus|Des Weiteren|Hiervon|Davon|"
    r"In (?:diesem|diesen|dieser|solchen))\b"
)
"""Words a quotation should not begin with, because the sentence before says what they refer to."""
_NAMES_BEFORE = re.compile(
    r"(?:\W*\w+,?){0,5}\W+the (?:latter|former)\b|(?:\W*\w+,?){0,4}\W*(?:letztere|erstere)[rnsm]?\b", re.IGNORECASE
)
_POINTS = re.compile(
    r"\b(?:these|those|this|such an?)\s+(?P<english>[a-z][\w-]{2,})"
    r"|\b(?:diese[rsmn]?|solche[rsmn]?)\s+(?:[a-zäöüß]+\s+)?(?P<german>[A-ZÄÖÜ][\w-]{2,})"
)
_STEM = 3
"""Least number of letters that two forms of a noun share."""


def names_one_before(text: str) -> bool:
    """Return whether a text begins with 'the latter' or the like, which needs the sentence before however long."""
    return _NAMES_BEFORE.match(text) is not None


def dangles(text: str, before: str, known: str = "") -> bool:
    """Return whether a text begins with a sentence that refers back to the one ``before`` it.

    It does with words such as 'Entsprechendes gilt', and with 'these cookies' if the sentence before speaks of cookies
    and neither the sentence itself nor what is ``known`` (its heading and lead-in) has done so.
    """
    if names_one_before(text) or _REFERS_BACK.match(text):
        return True
    return points_back(text, before, known)


def points_back(text: str, before: str, known: str = "") -> bool:
    """Return whether a text begins with a sentence on 'these cookies' or 'such a rule' of the one ``before`` it."""
    if _REFERS_BACK.match(before):  # which would need a further sentence
        return False
    first = next((one.text for one in sentences(text)), "")
    return any(
        _says(found["english"] or found["german"], before)
        and not _says(found["english"] or found["german"], f"{known} {first[: found.start()]}")
        for found in _POINTS.finditer(first)
    )


def _says(noun: str, text: str) -> bool:
    """Return whether a text has a noun, in any of its forms."""
    return noun.casefold()[: max(_STEM, len(noun) - 2)] in text.casefold()

"""Put the names of German works into the nominative, from the case in which a sentence cites them.

"der Zweiten Durchführungsverordnung" names the "Zweite Durchführungsverordnung", "des Hamburgischen Pressegesetzes" the
"Hamburgisches Pressegesetz". A name is changed only if the ending of its noun shows the gender.
"""

from __future__ import annotations

import re

_FEMININE = re.compile(r"(?:verordnung|ordnung|verfassung|richtlinie|satzung|konvention|vereinbarung|charta)$", re.I)
_NEUTER = re.compile(
    r"(?P<stem>\w*(?:gesetzbuch|gesetz|übereinkommen|abkommen|protokoll|statut))(?P<ending>e?s)?$", re.IGNORECASE
)
_MASCULINE = re.compile(r"(?P<stem>\w*(?:vertrag|pakt|kodex))(?P<ending>e?s)?$", re.IGNORECASE)
_NAME = re.compile(
    r"(?P<adjectives>(?:[A-ZÄÖÜ][a-zäöüß]{2,30}e[nrms] )+)(?P<noun>[A-ZÄÖÜ][\w-]*)(?P<rest>.*)", re.DOTALL
)
_DECLINED = re.compile(
    r"(?:isch|lich|iert|mein|ell|end|[ai]v|sam|bar|Erst|Zweit|Dritt|Viert|Fünft|Sechst|Siebt|Acht|Neunt|Zehnt)er$"
)
_EU_NUMBER = re.compile(r"(?:\([A-Z][^)]*\) )?\d+/\d+(?:/\w+)?")
_EU_KIND = re.compile(
    r"((?:Delegierte |Durchführungs|Commission |Council |Delegated |Implementing )?"
    r"(?:[Vv]erordnung|[Rr]ichtlinie|[Bb]eschluss|[Ee]ntscheidung|[Ee]mpfehlung"
    r"|Regulation|Directive|Decision|Recommendation))[a-z]{0,2} (?=[(\d]|N[ro]\.)"
)


def _of_place(word: str, ending: str) -> bool:
    """Return whether an adjective comes from a place and is not inflected: 'Berliner'; not 'Allgemeiner', 'Zweiter'."""
    return word.endswith("er") and ending != "er" and (ending == "es" or _DECLINED.search(word) is None)


def with_kind(name: str, mention: str) -> str:
    """Return the number of an EU act with the kind in its mention: '(EU) 2017/745' -> 'Verordnung (EU) 2017/745'."""
    kind = _EU_KIND.search(" ".join(mention.split())) if _EU_NUMBER.fullmatch(name) else None
    return f"{kind[1]} {name}" if kind else name


def nominative(name: str) -> str:
    """Return a name with its adjectives and noun in the nominative; a name of another form is returned unchanged."""
    found = _NAME.fullmatch(name)
    if not found:
        return name
    noun, ending = found["noun"], ""
    if _FEMININE.search(noun):
        ending = "e"
    elif neuter := _NEUTER.search(noun):
        noun, ending = neuter["stem"] if neuter.start() == 0 else noun, "es"
    elif masculine := _MASCULINE.search(noun):
        noun, ending = masculine["stem"] if masculine.start() == 0 else noun, "er"
    else:
        return name
    adjectives = [word if _of_place(word, ending) else f"{word[:-2]}{ending}" for word in found["adjectives"].split()]
    return " ".join([*adjectives, noun]) + found["rest"]

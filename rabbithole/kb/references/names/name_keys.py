"""Make names of documents comparable: fold and stem the words, keep the digits, split off the edition."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from rabbithole.kb.notation.spelling_variants import one_spelling

NameKey = tuple[str, ...]
"""Tokens of a name: folded words and numbers, in order. Two names with equal keys are the same name."""

_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[A-Za-z](?![^\W\d_]))?")
_JOINED = re.compile(r"([^\W\d_]+)[-‐‑–]\s?([^\W\d_])")
_DOTTED = re.compile(r"\b(?:[A-Za-z]\.\s?){2,}")
_CAPITAL_INSIDE = re.compile(r"(?<=.)[A-ZÄÖÜ]")
_ROMAN = re.compile(r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})")
_ARTICLES = frozenset({"der", "die", "das", "des", "dem", "den", "the", "a", "an"})
_COUNTING = frozenset(
    {
        "nr",
        "no",
        "number",
        "nummer",
        "publication",
        "publications",
        "pub",
        "publ",
        "publikation",
        "veröffentlichung",
        "teil",
        "part",
        "band",
        "heft",
    }
)
_SYNONYMOUS = (
    (re.compile(r"\bregulatory guide\b", re.I), "RG"),
    (re.compile(r"\bsafety reports? series\b", re.I), "SRS"),
    (re.compile(r"\bspecial publication\b", re.I), "SP"),
    (re.compile(r"\brequests? for comments?:?(?=\s*\d)", re.I), "RFC"),
    (re.compile(r"\bcode of federal regulations\b", re.I), "CFR"),
    (re.compile(r"\bunited states code\b", re.I), "USC"),
)
_ANY_SYNONYMOUS = re.compile(r"guide|series|publication|comments|code", re.I)
_DIGIT = re.compile(r"\d")
_COMMUNITY = {"EC": "EG", "EEC": "EWG", "EAEC": "Euratom", "UE": "EU", "CE": "EG"}
_MARK = r"EU|EG|EWG|EC|EEC|Euratom|EAG|EAEC|GASP|CFSP|JI|JHA"
_ACT = r"(?:Verordnung|Richtlinie|Beschlu(?:ss|ß)|Entscheidung|Regulation|Directive|Decision|Recommendation|Empfehlung)"
_EU_NAME = re.compile(
    rf"^\W*(?:(?:the|der|die|des|dem)\s+)?(?:(?:Delegierten?|Delegated|Commission|Council|Rahmen\w*|Framework|Implementing)\s+){{0,3}}"
    rf"(?:\w{{0,14}}{_ACT}e?n?s?\s+)?(?:(?:Nr\.|No\.?)\s*)?"
    rf"(?:\(\s*(?P<mark>{_MARK})(?:\s*,\s*\w+){{0,2}}\s*\)\s*(?:(?:Nr\.|No\.?|n°)\s*)?(?P<first>\d{{1,4}})/(?P<second>\d{{1,4}})"
    rf"|(?P<year>\d{{2,4}})/(?P<number>\d{{1,4}})/(?P<tail>{_MARK})\b)",
    re.I,
)
_MONTH = r"\d{4}-(?:0[1-9]|1[0-2])(?:-\d{2})?"
_YEAR = r"(?:18|19|20)\d{2}"
_EDITIONS = (
    re.compile(rf"^(?P<base>.*\S)\s*[\s:_(\[/,-]+\s*(?P<edition>{_MONTH})\s*[)\]]?$"),
    re.compile(rf"^(?P<base>.*\S)\s*[\s:_(,]+\s*(?P<month>0[1-9]|1[0-2])[/.](?P<year>{_YEAR})\s*\)?$"),
    re.compile(
        rf"^(?P<base>.*\S)\s*[\s:_(,]+(?:Ausgabe|Fassung|Stand|edition|version|dated)(?:\s+(?:von|vom|of))?\s*:?\s*"
        rf"(?P<edition>{_MONTH}|{_YEAR})\s*\)?$",
        re.I,
    ),
    re.compile(rf"^(?P<base>.*\S)\s*(?::\s*|_|\s\(|\()(?P<edition>{_YEAR})\s*\)?$"),
    re.compile(r"^(?P<base>.*\S)[\s,_(-]+(?P<edition>(?:Rev(?:ision|\.)?|r)\s*\d+)\s*\)?$", re.I),
)
_LAW_YEAR = re.compile(
    rf"^(?P<base>.*(?:[A-ZÄÖÜ]|gesetz|ordnung|buch|Act|Code|Regulations?)(?:\s\d{{1,2}})?)\s(?P<edition>{_YEAR})$"
)
_SERIES = re.compile(
    r"\b(?:RFC|KTA|DIN|ISO|IEC|EN|NUREG|ICRP|IAEA|IEEE|NIST|FIPS|STD|BCP|IEN|VDI|VDE|ASTM|ASME|TRBS|TRGS)\b"
)


class EditionedName(NamedTuple):
    """A name without its edition, and the edition in one spelling ('2013-04', '2018', 'rev 5') or None."""

    base: str
    edition: str | None


def fold(text: str) -> str:
    """Return a text in Unicode form NFKC, without soft hyphens and with single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).replace("\u00ad", "").split())


def split_edition(name: str) -> EditionedName:
    """Split a name: 'DIN 25457-4:2013-04' -> ('DIN 25457-4', '2013-04'). A series number is not read as a year."""
    folded = fold(name)
    if not _DIGIT.search(folded):
        return EditionedName(folded, None)
    for pattern in _EDITIONS:
        if found := pattern.match(folded):
            groups = found.groupdict()
            edition = groups.get("edition") or f"{groups['year']}-{groups['month']}"
            if _letters(found["base"]):
                return EditionedName(found["base"].rstrip(" (:,_"), edition_key(edition))
    if (found := _LAW_YEAR.match(folded)) and not _SERIES.search(folded):
        return EditionedName(found["base"], found["edition"])
    return EditionedName(folded, None)


def edition_key(edition: str) -> str:
    """Return an edition in one spelling: '04/2013' -> '2013-04', 'Rev. 5' -> 'rev 5'."""
    folded = fold(edition).strip("()[]: ")
    if found := re.fullmatch(r"(\d{1,2})[/.](\d{4})", folded):
        return f"{found[2]}-{int(found[1]):02d}"
    if found := re.match(r"(?:rev(?:ision|\.)?|r)\s*(\d+)$", folded, re.I):
        return f"rev {int(found[1])}"
    return folded.casefold()


def editions_agree(asked: str, held: str) -> bool:
    """Return whether editions are equal or one is more precise: '2013' and '2013-04'; not '2013-04' and '2013-05'."""
    return asked == held or asked.startswith(held + "-") or held.startswith(asked + "-")


@lru_cache(maxsize=65536)
def name_key(name: str) -> NameKey:
    """Return the comparable form of a name, without inflection and spelling variants; numbers are kept as they are."""
    folded = fold(name)
    if "/" in folded and (european := _EU_NAME.match(folded)):
        return _european_key(european)
    if "." in folded:
        folded = _DOTTED.sub(lambda found: found[0].replace(".", "").replace(" ", "") + " ", folded)
    if _ANY_SYNONYMOUS.search(folded):
        for pattern, short in _SYNONYMOUS:
            folded = pattern.sub(short, folded)
    tokens = _TOKEN.findall(_JOINED.sub(_join, folded))
    counted = any(token[0].isdigit() for token in tokens)
    key = tuple(
        _token_key(token)
        for token in tokens
        if token.casefold() not in _ARTICLES and not (counted and token.casefold() in _COUNTING)
    )
    return key or tuple(_token_key(token) for token in tokens)


def numbers(key: NameKey) -> NameKey:
    """Return the tokens of a key that must match exactly: numbers, also with a letter, and Roman numerals."""
    return tuple(token for token in key if is_number(token))


def words(key: NameKey) -> NameKey:
    """Return the words of a key; only these may have typing errors."""
    return tuple(token for token in key if not is_number(token))


def is_number(token: str) -> bool:
    return token[0].isdigit() or token.isupper()


def _join(found: re.Match[str]) -> str:
    """Join a hyphenated word: 'Bundes-Immissionsschutzgesetz' becomes one word, 'KTA-Regel' two."""
    if found[1].isupper() and len(found[1]) > 1:
        return f"{found[1]} {found[2]}"
    return found[1] + found[2].lower()


_GENITIVE = re.compile(
    r"(?:(?<=gesetz)es|(?<=buch)e?s|(?<=vertrag)e?s|(?<=[kt]ommen)s|(?<=ordnung)en|(?<=richtlinie)n)$", re.I
)
_DATED = re.compile(r"\s(?:vom|of)\s\d{1,2}\.?.*$")
_KIND_ALONE = re.compile(r"(?:Gesetz|Verordnung|Richtlinie|Bekanntmachung|Satzung|Act|Law|Order)(?:es|s|en|n)?", re.I)
_LEADING_ARTICLE = re.compile(r"^(?:der|die|das|des|dem|den|the)\s+", re.I)


def base_form(name: str) -> str:
    """Return a name as in a title, without article, genitive ending and date: 'des Düngegesetzes' -> 'Düngegesetz'."""
    whole = _LEADING_ARTICLE.sub("", fold(name))
    undated = _DATED.sub("", whole)
    words = (whole if _KIND_ALONE.fullmatch(undated) else undated).split(" ")  # "Gesetz" alone names no law
    for place in (0, -1):
        words[place] = _GENITIVE.sub("", words[place])
    return " ".join(words)


def _token_key(token: str) -> str:
    if token[0].isdigit():
        return token.lstrip("0").casefold() or "0"
    if token.isupper() and _ROMAN.fullmatch(token):
        return token
    if len(token) > 2 and token[-1] == "s" and token[-2].isupper():
        return token[:-1].casefold()
    folded = one_spelling(token.casefold())
    return folded if len(folded) < 5 or _CAPITAL_INSIDE.search(token) else stem(folded)


def stem(word: str) -> str:
    """Return a word in small letters without the case endings of German and English nouns and adjectives."""
    for ending in ("es", "en", "er", "em", "e", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _european_key(found: re.Match[str]) -> NameKey:
    if found["mark"]:
        mark, first, second = found["mark"], found["first"], found["second"]
    else:
        mark, first, second = found["tail"], found["year"], found["number"]
    mark = _COMMUNITY.get(mark.upper(), mark)
    return (mark.casefold(), first.lstrip("0"), second.lstrip("0"))


def _letters(text: str) -> bool:
    return any(letter.isalpha() for letter in text)

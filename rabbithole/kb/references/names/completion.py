"""Find the names of a document in its file name, its title and its opening lines."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from pathlib import PurePosixPath

from rabbithole.kb.models import Document

from .name_keys import NameKey, fold, name_key, split_edition

_OPENING = 1200
"""Characters at the beginning of a document in which its title and abbreviation are looked for."""
_PARENTHESIS = re.compile(r"\(([^()]{2,160})\)")
_SHORT_AND_ABBREVIATION = re.compile(r"^(?P<short>.*?)\s*[–—-]\s+(?P<abbreviation>(?:\d{1,2}\.\s)?[^\s]{2,20})$")
_ABBREVIATION = re.compile(r"(?:\d{1,2}\.\s)?[A-ZÄÖÜ][\wÄÖÜäöüß/-]{1,19}")
_LAW_HEAD = re.compile(r"(?:gesetz|ordnung|buch|satzung|vertrag|vorschrift(?:en)?|richtlinie)(?:es|s|en)?$", re.I)
_ISSUED = re.compile(r"^(?:Ausfertigungsdatum|Vollzitat|Datum|Vom \d)", re.I)
_STANDARD = re.compile(
    r"(?<![^\W_])(?P<series>(?:DIN(?:\s+EN)?(?:\s+ISO)?(?:/IEC)?|EN(?:\s+ISO)?|ISO(?:/IEC)?|IEC|KTA|ICRP|VDI|"
    r"VDE|RFC|NUREG|"
    r"Regulatory\s+Guide|RG|NIST(?:\s+SP|\s+FIPS)?|FIPS|BCP|STD|TRBS|TRGS|IAEA(?:\s+[A-Z]{2,7})?|IEEE|ASTM|ASME|"
    r"ETSI|ECMA))"
    r"(?:[\s-]+(?:Publication|Publikation|Ver(?:ö|oe)ffentlichung|No\.?|Nr\.?|Std\.?))?[\s_-]*"
    r"(?P<number>[A-Z]{0,5}[- ]?\d+(?:[.-]\d+)*)(?!\d)"
    r"(?P<edition>[:_\s(]+(?:\d{4}-\d{2}(?:-\d{2})?)\)?|:(?:19|20)\d{2}|_(?:19|20)\d{2}|\s*Rev\.?\s?\d+)?",
    re.I,
)
_LAW_TITLE = re.compile(
    r"(?:[^\W\d_]+(?:e|es|er|en)\s)?(?:[^\W\d_]+-)?\w*(?:gesetz|gesetzbuch|ordnung|richtlinie|satzung|vertrag|"
    r"übereinkommen|"
    r"abkommen|vorschrift|bekanntmachung|regulations?|directive|act|code)\b",
    re.I,
)
_RFC_HEADER = re.compile(r"^\s*Request for Comments:\s*(\d{1,5})\b", re.M | re.I)
_EUROPEAN = re.compile(
    r"^(?:(?:Delegierte|Durchführungs|Delegated|Implementing|Framework|Commission|Council)\w*\s+){0,3}"
    r"(?:\w{0,14})?(?:Verordnung|Richtlinie|Beschluss|Regulation|Directive|Decision)\s+"
    r"(?:\((?:EU|EG|EWG|Euratom|EC|EEC)(?:,\s*\w+){0,2}\)\s*(?:Nr\.|No\.?)?\s*\d+/\d+|\d+/\d+/(?:EU|EG|EWG|Euratom|EC|EEC))",
    re.I,
)
_CFR_PART = re.compile(r"(?:^|\b)(\d{1,2})\s*(?:CFR|C\.F\.R\.)\s*(?:Part\s*)?(\d{1,4})\b", re.I)


def names_of_document(document: Document, known: Container[NameKey] = ()) -> tuple[str, ...]:
    """Return the names of a document, best first: synonyms, title, names in parentheses, standard number, file name.

    ``known`` holds the keys of known works. The title of a guide to a law ("Leitfaden zum Strahlenschutzgesetz
    (StrlSchG)") mentions that law's name; it is not taken as a name of the guide.
    """
    stem = PurePosixPath(document.file).stem
    named = names_in_title(document.title)
    if not names_itself_a_law(document.title):
        named = (*named[:1], *(name for name in named[1:] if name_key(name) not in known))
    return _distinct([*document.synonyms, *named, *_standards(document.title), *_from_file(stem)])


def subject_names(document: Document) -> frozenset[str]:
    """Return the acronyms in parentheses in the title of a document other than a law.

    They may only be the document's subject, so they count as its names once other documents cite it by them.
    """
    if names_itself_a_law(document.title) or _EUROPEAN.match(fold(document.title)):
        return frozenset()
    given = set(document.synonyms)
    return frozenset(
        name
        for inside in _PARENTHESIS.findall(fold(document.title))
        for name in _parenthesised(inside)
        if name not in given
    )


_MARKS_OF_COMMUNITIES = frozenset("EU EG EWG EC EEC Euratom EAG EAEC UE CE".split())
_KIND_NOUN = re.compile(
    r"(?<![\w-])(?:[A-ZÄÖÜ][\w-]*- und )?(?:[A-ZÄÖÜ]\w*-)?[A-ZÄÖÜ]\w*?(?:ordnung|satzung|richtlinie|vertrag|"
    r"vereinbarung|"
    r"bestimmungen|statut|reglement|konzept|handbuch|leitbild)(?!\w)|(?<![\w-])(?:Satzung|Statuten?)(?!\w)"
)


def generic_names(title: str) -> tuple[str, ...]:
    """Return the generic names in a title: 'Geschäftsordnung', 'Studien- und Prüfungsordnung', 'Satzung'.

    Many documents share such a name; the document that cites it decides which one is meant.
    """
    found = _KIND_NOUN.search(fold(title))
    if found is None or name_key(found[0])[-1] in ("verordnung", "ordnung"):
        return ()
    noun = found[0]
    names = [noun]
    if " und " in noun:
        head = re.search(r"(ordnung|satzung|richtlinie)$", noun)
        if head:
            names += [noun.split("- und ")[0] + head[1], noun.split("- und ")[1]]
    if noun == "Satzung":
        names.append("Vereinssatzung")
    return tuple(names)


def names_in_title(title: str) -> tuple[str, ...]:
    """Return the names in a title: 'Gesetz ... (Atomgesetz - AtG)' -> 'Gesetz ...', 'Atomgesetz', 'AtG'."""
    folded = fold(title)
    names = [fold(_PARENTHESIS.sub("", folded)).strip(" -–")] if folded else []
    for inside in _PARENTHESIS.findall(folded):
        names.extend(_parenthesised(inside))
    if european := _EUROPEAN.match(folded):
        names.append(european[0])
    return _distinct(names)


def names_in_opening(text: str) -> tuple[str, ...]:
    """Return the names in a document's first lines: a statute's short name and abbreviation, or an RFC's number.

    ``text`` is the beginning of the document's text. Of a statute, only the lines before the date of issue are read.
    """
    opening = text[:_OPENING]
    if found := _RFC_HEADER.search(opening):
        return (f"RFC {int(found[1])}",)
    lines = [line.strip() for line in opening.splitlines()]
    heads = [index for index, line in enumerate(lines) if _ISSUED.match(line)]
    if not heads:
        return ()
    head = fold(re.sub(r"-\n(?=[A-ZÄÖÜ])", "-", "\n".join(lines[: heads[0]])))
    names = list(names_in_title(head))
    last = lines[heads[0] - 1] if heads[0] else ""
    if _ABBREVIATION.fullmatch(last) and any(letter.isupper() for letter in last[1:]):
        names.append(last)
    return _distinct(names)


def names_itself_a_law(title: str) -> bool:
    """Return whether a title is a law's: 'Verordnung zum ...', 'Bürgerliches Gesetzbuch'; not 'Leitfaden zum ...'."""
    return _LAW_TITLE.match(fold(title)) is not None


def is_designation(name: str) -> bool:
    """Return whether a name is only the number of a standard or report: 'RFC 6434', 'KTA 1404'."""
    return _STANDARD.fullmatch(name) is not None


def _parenthesised(inside: str) -> Iterator[str]:
    """Yield the names in parentheses: 'Strahlenschutzgesetz - StrlSchG', '- GG', 'Atomgesetz', 'GDPR'; not remarks."""
    if parts := _SHORT_AND_ABBREVIATION.match(
        inside.strip() if inside.strip()[:1] not in "-–" else f"x {inside.strip()}"
    ):
        short, abbreviation = parts["short"], parts["abbreviation"]
        if _ABBREVIATION.fullmatch(abbreviation):
            if len(short) > 3:
                yield short
            yield abbreviation
        return
    word = inside.strip()
    if word in _MARKS_OF_COMMUNITIES:
        return  # "Verordnung (EG) Nr. ..."
    names_a_law = _LAW_HEAD.search(word) is not None and word[:1].isupper() and len(word.split()) <= 6
    if names_a_law or (_ABBREVIATION.fullmatch(word) and sum(letter.isupper() for letter in word) > 1):
        yield word


def _standards(text: str) -> Iterator[str]:
    """Yield the standard's number a text begins with: 'KTA 1401 Allgemeine Forderungen', 'DIN 25457-4:2013-04'."""
    folded = fold(text.replace("_", " _", 1) if "_" in text else text).replace(" _", "_")
    if (found := _STANDARD.match(folded)) is not None:
        series = " ".join(found["series"].split())
        series = series.upper() if series.islower() else series
        number = found["number"].strip()
        edition = (found["edition"] or "").strip(" :_()")
        separator = " " if edition[:3].casefold() == "rev" else ":"
        yield f"{series} {number}" + (f"{separator}{edition}" if edition else "")
    if found := _CFR_PART.match(folded):
        yield f"{found[1]} CFR Part {found[2]}"


_PLAIN_WORD = re.compile(r"[A-ZÄÖÜ]?[a-zäöüß]+")
"""A file name that is an ordinary word, such as 'Theory.pdf', is no name."""
_OF_A_KIND = re.compile(
    r"(?:ordnung|satzung|richtlinie|gesetz|vertrag|vereinbarung|bestimmungen|statut|reglement|konzept|handbuch|"
    r"handbook|manual|policy|guide|guideline|standard)(?:en|s)?$",
    re.IGNORECASE,
)


def _from_file(stem: str) -> Iterator[str]:
    readable = fold(re.sub(r"(?<=[^\W\d_])[_]+(?=[^\W\d_])|(?<=\d)_(?=[^\W\d_])|(?<=[^\W\d_])_(?=\d)", " ", stem))
    yield from _standards(stem)
    if split_edition(stem).edition:
        yield stem
    if not _PLAIN_WORD.fullmatch(readable) or _OF_A_KIND.search(readable):
        yield readable


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Return the first spelling of each name that has at least two letters."""
    seen: set[tuple[tuple[str, ...], str | None]] = set()
    kept: list[str] = []
    for name in names:
        split = split_edition(name)
        key = (name_key(split.base), split.edition)
        if key not in seen and sum(letter.isalpha() for letter in name) >= 2:
            seen.add(key)
            kept.append(name)
    return tuple(kept)

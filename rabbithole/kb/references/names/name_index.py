"""Find names of documents in running text: registered names and those of known laws, also inflected."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import ahocorasick

_HEADS = {
    "gesetz": ("es", "e", "en"),
    "gesetzbuch": ("s", "es", "e"),
    "gesetzbuche": ("s",),
    "buch": ("s", "es"),
    "vertrag": ("s", "es"),
    "pakt": ("s", "es"),
    "abkommen": ("s",),
    "übereinkommen": ("s",),
    "protokoll": ("s",),
    "statut": ("s",),
    "verordnung": ("en",),
    "ordnung": ("en",),
    "richtlinie": ("n",),
}
_HEAD = re.compile(r"(" + "|".join(sorted(_HEADS, key=len, reverse=True)) + r")\Z", re.IGNORECASE)
_LEAD = 12
"""The number of first letters by which a name is found before it is compared as a whole."""
_BEGINNING = 24
"""The number of first letters that groups forms with the same first noun, such as 'Gesetz über ...'."""
_ADJECTIVE = re.compile(r"(?:e[rs]?|en)\Z")
# Abbreviations that mean something else far more often than the law: courts, insurance, units, editions.
_INTERNATIONAL = frozenset("GDPR TFEU ECHR EMRK AEUV DSGVO CISG".split())
_AMBIGUOUS = frozenset(
    "BSG ZIV RV AG HG SG WG ZT MV VO IDA CIV RIP RID GAW CSC BOP VBD ATP ADR PCT WTO MSA KVR RBK".split()
)


@dataclass(frozen=True, slots=True)
class NameHit:
    """The name of a registered or well-known document found in the text."""

    start: int
    end: int
    canonical: str
    law: bool


def inflect(name: str) -> set[str]:
    """Return the forms a German document name takes in a sentence: 'Atomgesetz' -> 'Atomgesetzes', ...

    >>> sorted(inflect("Bürgerliches Gesetzbuch"))[0]
    'Bürgerliche Gesetzbuch'
    """
    words = name.split(" ")
    if len(words) > 25:
        return {name}
    first = 0
    while first + 1 < len(words) and first < 3 and _is_adjective(words[first]) and words[first + 1][:1].isupper():
        first += 1
    match = _HEAD.search(words[first])
    endings = ("", *_HEADS[match[1].lower()]) if match else ("",)
    stems = [_ADJECTIVE.sub("", word) for word in words[:first]]
    adjectives = (
        [""]
        if not stems
        else ["".join(f"{stem}{ending} " for stem in stems) for ending in ("e", "en", "er", "es", "em")]
    )
    rest = "".join(f" {word}" for word in words[first + 1 :])
    return {f"{lead}{words[first]}{ending}{rest}" for lead in adjectives for ending in endings} | {name}


def _is_adjective(word: str) -> bool:
    return len(word) > 4 and word[:1].isupper() and word[1:].islower() and bool(_ADJECTIVE.search(word))


def _boundary(text: str, start: int, end: int) -> bool:
    """Return whether text[start:end] is not part of a longer word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before.isalnum() or before == "_" or after.isalnum() or after == "_":
        return False
    if before in ("-", "–") and text[start - 2 : start - 1].isalnum() and text[start].isalpha():
        return False
    return not (after == "-" and text[end + 1 : end + 2].isalnum())


class NameIndex:
    """Finds names in a text with an Aho-Corasick automaton. At each place the longest name that ends a word wins."""

    def __init__(self, names: Iterable[tuple[str, str]] = (), *, known_laws: bool = True) -> None:
        """``names`` yields (surface form, canonical name); inflected forms are added."""
        self._own = _Forms((surface.strip(), canonical, canonical_is_law(canonical)) for surface, canonical in names)
        self._base = _known() if known_laws else None

    def hits(self, text: str, *, german: bool = True) -> dict[int, NameHit]:
        """Return the names in ``text`` by their start offset.

        ``german``: the text is German; most short abbreviations of known laws count only then.
        """
        found: dict[int, NameHit] = {}
        for forms, own in ((self._base, False), (self._own, True)):
            for hit in forms.hits(text, strict=not own, german=german) if forms else ():
                known = found.get(hit.start)
                if known is None or hit.end > known.end or (own and hit.end == known.end):
                    found[hit.start] = hit
        return found

    def only_known(self, surface: str) -> bool:
        """Return whether a name is that of a known law, and of no document of the knowledge base."""
        return bool(self._base and self._base.of(surface)) and not self._own.of(surface)

    def canonical(self, surface: str) -> str | None:
        """Return the canonical name of the document with exactly this name or inflected form, or None."""
        for forms in (self._own, self._base):
            if forms and (named := forms.of(surface)):
                return named[0]
        return None


def canonical_is_law(name: str) -> bool:
    """Return whether a name looks like a German law or ordinance: '…gesetz', '…verordnung', 'StrlSchG', 'AtSMV'."""
    return bool(re.search(r"(?:gesetz|gesetzbuch|ordnung|[a-zäöüß](?:G|V|O|GB)|GB|VO)(?:\s\d{4})?\Z", name))


_Beginnings = dict[int, dict[str, list[tuple[str, str, bool]]]]
"""Length of a beginning -> beginning -> (form, canonical name, whether it names a law)."""


class _Forms:
    """Names by their first letters, which all inflected forms share. Forms are made when a text has these letters.

    Building an automaton of all forms of the known laws takes half a second; one of the first letters takes a tenth.
    """

    def __init__(self, names: Iterable[tuple[str, str, bool]]) -> None:
        self._names: dict[str, list[tuple[str, str, bool]]] = {}
        for name in names:
            self._names.setdefault(_lead(name[0]), []).append(name)
        self._forms: dict[str, _Beginnings] = {}
        self._leads = ahocorasick.Automaton()
        for lead in self._names:
            if lead:
                self._leads.add_word(lead, lead)
        if len(self._leads):
            self._leads.make_automaton()

    def __bool__(self) -> bool:
        return bool(self._names)

    def hits(self, text: str, *, strict: bool, german: bool) -> Iterator[NameHit]:
        """Yield all names in a text. ``strict``: short forms must pass ``_means_the_law``."""
        for last, lead in self._leads.iter(text) if len(self._leads) else ():
            start = last - len(lead) + 1
            if text[start - 1 : start].isalnum():
                continue
            beginnings = self._of_lead(lead)
            for length in beginnings:
                for form, canonical, law in beginnings[length].get(text[start : start + length], ()):
                    end = start + len(form)
                    if not text.startswith(form, start) or not _boundary(text, start, end):
                        continue
                    if not strict or len(form) >= 5 or _means_the_law(text, start, end, german=german):
                        yield NameHit(start, end, canonical, law)

    def of(self, surface: str) -> tuple[str, bool] | None:
        """Return (canonical name, whether it names a law) of a form, or None; the first name with the form wins."""
        for length in range(min(_LEAD, len(surface)), 0, -1):
            if surface[:length] in self._names:
                alike = self._of_lead(surface[:length]).get(min(len(surface), _BEGINNING), {})
                for form, canonical, law in alike.get(surface[:_BEGINNING], ()):
                    if form == surface:
                        return canonical, law
        return None

    def _of_lead(self, lead: str) -> _Beginnings:
        """Return all forms of the names with these first letters."""
        if lead not in self._forms:
            forms: dict[str, tuple[str, bool]] = {}
            for name, canonical, law in self._names[lead]:
                for form in inflect(name):
                    if len(form) > 1:
                        forms.setdefault(form, (canonical, law))
            beginnings: _Beginnings = {}
            for form, (canonical, law) in forms.items():
                alike = beginnings.setdefault(min(len(form), _BEGINNING), {})
                alike.setdefault(form[:_BEGINNING], []).append((form, canonical, law))
            self._forms[lead] = beginnings
        return self._forms[lead]


def _lead(name: str) -> str:
    """Return the first letters that all forms of a name share: without the ending of an inflected first word."""
    first = name.partition(" ")[0]
    if first == name:
        return name[:_LEAD]
    if _is_adjective(first):
        return _ADJECTIVE.sub("", first)[:_LEAD]
    return (first if _HEAD.search(first) else name)[:_LEAD]


def _means_the_law(text: str, start: int, end: int, *, german: bool) -> bool:
    """Return whether a short abbreviation of a known law means the law at this place."""
    name = text[start:end]
    if not name.isupper() or name in _INTERNATIONAL:
        return True
    if not german or name in _AMBIGUOUS or (len(name) < 4 and name[-1] not in "GOB"):
        return False
    return not (name == "WO" and text[end : end + 2].strip().isdigit())  # an international patent, not the Wahlordnung


def known_laws() -> list[list[str]]:
    """Return the names of each known law, canonical abbreviation first."""
    folder = files(__package__) / "data"
    laws: list[list[str]] = json.loads((folder / "known.json").read_text(encoding="utf-8"))
    packed = (folder / "laws.json.gz").read_bytes()
    return laws + json.loads(gzip.decompress(packed))


@lru_cache(maxsize=1)
def _known() -> _Forms:
    return _Forms((name, row[0], True) for row in known_laws() for name in row)


@lru_cache(maxsize=1)
def default_index() -> NameIndex:
    """Return an index without a registry, with the known laws only."""
    return NameIndex()

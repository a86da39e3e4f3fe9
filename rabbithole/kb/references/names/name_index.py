"""Names of documents in running text: registered ones and German laws known by name, inflected forms included."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files

import ahocorasick

from rabbithole.kb.references.grammar.form import NameHit

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
_ADJECTIVE = re.compile(r"(?:e[rs]?|en)\Z")
# Abbreviations that mean something else far more often than the law: courts, insurance, units, editions.
_INTERNATIONAL = frozenset("GDPR TFEU ECHR EMRK AEUV DSGVO CISG".split())
_AMBIGUOUS = frozenset(
    "BSG ZIV RV AG HG SG WG ZT MV VO IDA CIV RIP RID GAW CSC BOP VBD ATP ADR PCT WTO MSA KVR RBK".split()
)


def inflect(name: str) -> set[str]:
    """Forms a German document name takes in a sentence: 'Atomgesetz' -> 'Atomgesetzes', ...

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
    """Whether text[start:end] stands as a name of its own, not inside a longer word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before.isalnum() or before == "_" or after.isalnum() or after == "_":
        return False
    if before in ("-", "–") and text[start - 2 : start - 1].isalnum() and text[start].isalpha():
        return False
    return not (after == "-" and text[end + 1 : end + 2].isalnum())


class NameIndex:
    """Finds names by one Aho-Corasick pass, linear in the text. Longest name wins; names need word boundaries."""

    def __init__(self, names: Iterable[tuple[str, str]] = (), *, known_laws: bool = True) -> None:
        """``names`` yields (surface form, canonical name); inflected forms are added."""
        self._own = _automaton(
            (form, canonical, canonical_is_law(canonical))
            for surface, canonical in names
            for form in inflect(surface.strip())
            if len(form) > 1
        )
        self._base = _known() if known_laws else None

    def hits(self, text: str, *, german: bool = True) -> dict[int, NameHit]:
        """Names in ``text`` by their start. Short abbreviations of laws count only in German text."""
        found: dict[int, NameHit] = {}
        for automaton, own in ((self._base, False), (self._own, True)):
            if automaton is None:
                continue
            for hit in _iterate(automaton, text, strict=not own, german=german):
                known = found.get(hit.start)
                if known is None or hit.end > known.end or (own and hit.end == known.end):
                    found[hit.start] = hit
        return found

    def canonical(self, surface: str) -> str | None:
        """Canonical name of a document named exactly so (inflected forms included), or None."""
        for automaton in (self._own, self._base):
            if automaton is not None and automaton.exists(surface):
                canonical: str = automaton.get(surface)[1]
                return canonical
        return None


def canonical_is_law(name: str) -> bool:
    """Whether a name has the shape of a German law or ordinance: '…gesetz', '…verordnung', 'StrlSchG', 'AtSMV'."""
    return bool(re.search(r"(?:gesetz|gesetzbuch|ordnung|[a-zäöüß](?:G|V|O|GB)|GB|VO)(?:\s\d{4})?\Z", name))


def _automaton(names: Iterable[tuple[str, str, bool]]) -> ahocorasick.Automaton | None:
    automaton = ahocorasick.Automaton()
    for form, canonical, law in names:
        if not automaton.exists(form):
            automaton.add_word(form, (len(form), canonical, law))
    if not len(automaton):
        return None
    automaton.make_automaton()
    return automaton


def _iterate(automaton: ahocorasick.Automaton, text: str, *, strict: bool, german: bool) -> Iterator[NameHit]:
    for last, (length, canonical, law) in automaton.iter(text):
        start, end = last - length + 1, last + 1
        if not _boundary(text, start, end):
            continue
        if strict and length < 5 and not _means_the_law(text, start, end, german=german):
            continue
        yield NameHit(start, end, canonical, law)


def _means_the_law(text: str, start: int, end: int, *, german: bool) -> bool:
    """Whether a short abbreviation of a known law can be taken for the law."""
    name = text[start:end]
    if not name.isupper() or name in _INTERNATIONAL:
        return True
    if not german or name in _AMBIGUOUS or (len(name) < 4 and name[-1] not in "GOB"):
        return False
    return not (name == "WO" and text[end : end + 2].strip().isdigit())  # an international patent, not the Wahlordnung


def known_laws() -> list[list[str]]:
    """Rows of names a law goes by, canonical abbreviation first."""
    folder = files(__package__) / "data"
    laws: list[list[str]] = json.loads((folder / "known.json").read_text(encoding="utf-8"))
    packed = (folder / "laws.json.gz").read_bytes()
    return laws + json.loads(gzip.decompress(packed))


@lru_cache(maxsize=1)
def _known() -> ahocorasick.Automaton | None:
    return _automaton(
        (form, row[0], True) for row in known_laws() for name in row for form in inflect(name) if len(form) > 1
    )


@lru_cache(maxsize=1)
def default_index() -> NameIndex:
    """The index without a registry: known laws only."""
    return NameIndex()

"""What a report has to say and what it has said: statements, each once, and where references led from them."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.text.terms import stem_set

_PER_PLACE = 2
_TELLING = 0.35
_SHOWN_BELOW, _SHOWN_NEEDED = 1, 2  # statements of a place shown under what refers to it
_MOST_BELOW, _MOST_NEEDED = 2, 4  # places shown under one group of statements
_ALIKE = 0.85  # share of common words from which two sentences say the same


Spot = tuple[str, str | None]  # (document, section)


class Statement(Model):
    """One quotable sentence of one piece of evidence."""

    evidence: Evidence
    text: str
    verbatim: bool
    lead: str = ""
    direct: bool = Field(default=False, description="the search found the place too, not only a reference")
    score: float = 0.0

    @property
    def spot(self) -> Spot:
        """The section it stands in."""
        return self.evidence.document, self.evidence.section


class Used:
    """What has been said: no sentence twice, not even nearly."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._said: list[frozenset[str]] = []
        self._texts: list[str] = []

    def has(self, statement: Statement) -> bool:
        """Whether the statement, or nearly the same words, has been said."""
        if any(statement.text in text for text in self._texts):
            return True
        words = stem_set(statement.text, self._language)
        return any(len(words & said) >= _ALIKE * len(words | said) for said in self._said)

    def take(self, statement: Statement) -> bool:
        """Whether the statement is new; it counts as said from then on."""
        words = stem_set(statement.text, self._language)
        if not words or self.has(statement):
            return False
        self._said.append(words)
        self._texts.append(statement.text)
        return True


class Followed:
    """Statements reached by following references, by the place they led to, the best two of each."""

    def __init__(self, ranked: Sequence[Statement]) -> None:
        self._best: dict[Spot, list[Statement]] = {}
        self._links: dict[Spot, set[tuple[str, str]]] = {}
        self._shown: set[Spot] = set()
        for item in ranked:
            if item.evidence.depth and item.evidence.chain:
                link = item.evidence.chain[-1]
                kept = self._best.setdefault(item.spot, [])
                self._links.setdefault(item.spot, set()).add((link.document, " ".join(link.reference.split())))
                if len(kept) < _PER_PLACE and item.text not in (other.text for other in kept):
                    kept.append(item)

    def onward(self, item: Statement) -> tuple[Statement, ...]:
        """Where the place of a statement shown leads on to words that answer better; shown from now on.

        The sentence that names the further place comes first when it is another one than ``item``.
        """
        for pointing in (item, *(other for other in self._best.get(item.spot, ()) if other.text != item.text)):
            for spot, kept in self._best.items():
                further = spot not in self._shown and kept[0].score > item.score and _exact(kept[0])
                if further and self._named(spot, [pointing]):
                    self._shown.add(spot)
                    return (kept[0],) if pointing is item else (pointing, kept[0])
        return ()

    def best(self) -> tuple[Statement, ...]:
        """The statements of the places reached that were named exactly, or that say something of the question."""
        return tuple(item for kept in self._best.values() for item in kept if _exact(item) or item.score >= _TELLING)

    def shown(self, item: Statement) -> bool:
        return item.spot in self._shown

    def of(self, items: Sequence[Statement], least: float = 0.0) -> tuple[Statement, ...]:
        """What the references in these statements led to, if it scores ``least``; shown from now on.

        Without ``least`` everything counts that they name: the statements cannot be understood without it.
        """
        self._shown.update(item.spot for item in items)
        found: list[list[Statement]] = []
        for spot, kept in self._best.items():
            if len(found) == (_MOST_BELOW if least else _MOST_NEEDED):
                break
            worth = [item for item in kept[: _SHOWN_BELOW if least else _SHOWN_NEEDED] if item.score >= least]
            if worth and _exact(worth[0]) and spot not in self._shown and self._named(spot, items):
                self._shown.add(spot)
                found.append(worth)
        return tuple(item for kept in found for item in kept)

    def _named(self, spot: Spot, items: Sequence[Statement]) -> bool:
        """Whether the words of these statements hold a reference that led to a place."""
        return any(
            item.evidence.document == document and reference in item.text
            for item in items
            for document, reference in self._links[spot]
        )


def _exact(item: Statement) -> bool:
    """Whether the reference named a place, not only a document: 'TR-12, Section 5.3', not 'Atomgesetz'."""
    link = item.evidence.chain[-1]
    placed = any(character.isdigit() for character in link.reference) and item.evidence.section is not None
    return placed or link.kind in ("academic_numbered", "academic_shortform")

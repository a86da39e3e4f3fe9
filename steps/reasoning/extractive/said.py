"""What a report has to say and what it has said: statements, each once, and where references led from them."""

from __future__ import annotations

from collections.abc import Sequence

from ....kb.models import Model
from ...models import Evidence
from ..terms import stem_set

_PER_PLACE = 2
_TELLING = 0.35
_MOST_BELOW = 3  # places shown under one group of statements
_ALIKE = 0.85  # share of common words from which two sentences say the same


class Statement(Model):
    """One quotable sentence of one piece of evidence."""

    evidence: Evidence
    text: str
    verbatim: bool
    score: float = 0.0


class Used:
    """What has been said: no sentence twice, not even nearly."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._said: list[frozenset[str]] = []

    def has(self, statement: Statement) -> bool:
        """Whether the statement, or nearly the same words, has been said."""
        words = stem_set(statement.text, self._language)
        return any(len(words & said) >= _ALIKE * len(words | said) for said in self._said)

    def take(self, statement: Statement) -> bool:
        """Whether the statement is new; it counts as said from then on."""
        words = stem_set(statement.text, self._language)
        if not words or self.has(statement):
            return False
        self._said.append(words)
        return True


class Followed:
    """Statements reached by following references, by the place they led to; best first, at most two a place."""

    def __init__(self, ranked: Sequence[Statement]) -> None:
        self._best: dict[tuple[str, str | None], list[Statement]] = {}
        self._links: dict[tuple[str, str | None], set[tuple[str, str]]] = {}
        self._shown: set[tuple[str, str | None]] = set()
        for item in ranked:
            if item.evidence.depth and item.evidence.chain:
                link = item.evidence.chain[-1]
                kept = self._best.setdefault(_spot(item.evidence), [])
                self._links.setdefault(_spot(item.evidence), set()).add(
                    (link.document, " ".join(link.reference.split()))
                )
                if len(kept) < _PER_PLACE and item.text not in (other.text for other in kept):
                    kept.append(item)

    def best(self) -> tuple[Statement, ...]:
        """The statements of the places reached that were named exactly, or that say something of the question."""
        return tuple(item for kept in self._best.values() for item in kept if _exact(item) or item.score >= _TELLING)

    def shown(self, item: Statement) -> bool:
        return _spot(item.evidence) in self._shown

    def of(self, items: Sequence[Statement]) -> tuple[Statement, ...]:
        """What the references in these statements led to; shown from now on."""
        self._shown.update(_spot(item.evidence) for item in items)
        found: list[list[Statement]] = []
        for spot, kept in self._best.items():
            if len(found) == _MOST_BELOW:
                break
            named = any(
                item.evidence.document == document and reference in item.text
                for item in items
                for document, reference in self._links[spot]
            )
            if named and _exact(kept[0]) and spot not in self._shown:
                self._shown.add(spot)
                found.append(kept)
        return tuple(item for kept in found for item in kept)


def _exact(item: Statement) -> bool:
    """Whether the reference named a place, not only a document: 'TR-12, Section 5.3', not 'Atomgesetz'."""
    link = item.evidence.chain[-1]
    placed = any(character.isdigit() for character in link.reference) and item.evidence.section is not None
    return placed or link.kind not in ("document", "document_mention")


def _spot(evidence: Evidence) -> tuple[str, str | None]:
    return evidence.document, evidence.section

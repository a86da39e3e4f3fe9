"""How much each side of a search counts: reviewed figures, found by ``python -m bench.retrieval.ranking --fit``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from pydantic import Field

from rabbithole.kb.models import Model, Score01


class ReferenceWeights(Model):
    """``share`` of a hit's score that a place it refers to, or is referred to by, gains.

    Of the first ``pool`` hits the first ``seeds`` give; what is not among those ``pool`` hits gains ``outside`` of it.
    Places of more than ``widest`` passages gain nothing. A passage that more than ``hub`` others refer to gives each of
    them less, one that ``everywhere`` or more refer to gives nothing.
    """

    share: Score01
    seeds: int = Field(ge=1)
    pool: int = Field(ge=1)
    outside: Score01
    widest: int = Field(ge=1)
    hub: int = Field(ge=1)
    everywhere: int = Field(ge=1)


class ArrangementWeights(Model):
    """How the first hits are ordered beside one another.

    A document's best ``passages`` among the first ``among`` hits give up to ``document`` to each of its passages.
    To cover the whole question is worth ``coverage`` from ``many`` telling words on, nothing up to ``few``. The first
    ``pool`` hits are read for that.
    """

    document: Score01
    passages: int = Field(ge=1)
    among: int = Field(ge=1)
    coverage: float = Field(ge=0)
    few: int = Field(ge=0)
    many: int = Field(ge=1)
    pool: int = Field(ge=1)

    def coverage_of(self, words: int) -> float:
        """What it is worth to cover a question of so many telling words."""
        return self.coverage * min(1.0, max(0.0, (words - self.few) / (self.many - self.few)))


class Weights(Model):
    """``meaning``: encoder -> language -> the share of meaning beside that of words; ``grams``: language -> the share
    of runs of letters in that of words."""

    meaning: Mapping[str, Mapping[str, Score01]]
    meaning_otherwise: Score01
    grams: Mapping[str, Score01]
    references: ReferenceWeights
    arrangement: ArrangementWeights

    def semantic(self, encoder: str, language: str) -> float:
        """The share of meaning for an encoder in a language."""
        return self.meaning.get(encoder, {}).get(language, self.meaning_otherwise)


@lru_cache(maxsize=1)
def reviewed() -> Weights:
    """The figures that come with the package."""
    return Weights.model_validate_json((files(__package__) / "weights.json").read_bytes())

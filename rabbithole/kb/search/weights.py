"""The weights of search: reviewed values, fitted by ``python -m bench.retrieval.ranking --fit``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from pydantic import Field

from rabbithole.kb.models import Model, Score01


class ReferenceWeights(Model):
    """Weights of references: a place that a hit refers to, or is referred to by, gains ``share`` of the hit's score.

    The first ``seeds`` hits pass on gains; a place not among the first ``pool`` hits gets the fraction ``outside``.
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
    """Weights for re-ordering the first hits.

    A document's best ``passages`` among the first ``among`` hits add up to ``document`` to each of its passages.
    Covering the whole question adds ``coverage`` if it has at least ``many`` content words, nothing up to ``few``. The
    first ``pool`` hits are considered for that.
    """

    document: Score01
    passages: int = Field(ge=1)
    among: int = Field(ge=1)
    coverage: float = Field(ge=0)
    few: int = Field(ge=0)
    many: int = Field(ge=1)
    pool: int = Field(ge=1)

    def coverage_of(self, words: int) -> float:
        """Return the gain for covering a question with this number of content words."""
        return self.coverage * min(1.0, max(0.0, (words - self.few) / (self.many - self.few)))


class Weights(Model):
    """``meaning``: encoder -> language -> weight of the semantic list; ``grams``: language -> weight of the n-gram list
    within the keyword side."""

    meaning: Mapping[str, Mapping[str, Score01]]
    meaning_otherwise: Score01
    grams: Mapping[str, Score01]
    references: ReferenceWeights
    arrangement: ArrangementWeights

    def semantic(self, encoder: str, language: str) -> float:
        """Return the weight of the semantic list for an encoder and a language."""
        return self.meaning.get(encoder, {}).get(language, self.meaning_otherwise)


@lru_cache(maxsize=1)
def reviewed() -> Weights:
    """Return the weights that come with the package."""
    return Weights.model_validate_json((files(__package__) / "weights.json").read_bytes())

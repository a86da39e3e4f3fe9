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


class UnmatchedWeights(Model):
    """The weight of meaning where no passage has the words of the question.

    The best of the first ``hits`` keyword hits has some share of the question's words, by rarity. From ``high`` on the
    semantic list has its usual weight, at ``low`` or less it has the weight ``meaning``.
    """

    meaning: Score01
    hits: int = Field(ge=1)
    low: Score01
    high: Score01

    def raised(self, weight: float, matched: float) -> float:
        """Return the semantic weight for a share of matched words, given the usual weight."""
        lacking = min(1.0, max(0.0, (self.high - matched) / (self.high - self.low)))
        return weight + max(0.0, self.meaning - weight) * lacking


class Weights(Model):
    """``meaning``: encoder -> language -> weight of the semantic list, if words match; ``grams``: language -> weight of
    the n-gram list within the keyword side."""

    meaning: Mapping[str, Mapping[str, Score01]]
    meaning_otherwise: Score01
    unmatched: UnmatchedWeights
    grams: Mapping[str, Score01]
    references: ReferenceWeights
    arrangement: ArrangementWeights

    def semantic(self, encoder: str, language: str, matched: float = 1.0) -> float:
        """Return the weight of the semantic list for an encoder, a language and a share of matched words (0-1).

        The share counts only for encoders and languages that were measured.
        """
        own = self.meaning.get(encoder, {}).get(language)
        return self.meaning_otherwise if own is None else self.unmatched.raised(own, matched)


@lru_cache(maxsize=1)
def reviewed() -> Weights:
    """Return the weights that come with the package."""
    return Weights.model_validate_json((files(__package__) / "weights.json").read_bytes())

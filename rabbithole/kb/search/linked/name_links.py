"""Passages that names lead to: the names in the question, and those in a seed, which is one of the best hits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rabbithole.kb.search.entities import contains, near, title_forms
from rabbithole.kb.search.scope import View
from rabbithole.kb.store.ports import ChunkKey, ChunkScope
from rabbithole.kb.store.store import Store

from .base_scores import BaseScores
from .linked_passages import LinkedPassage, LinkedPassages
from .prepared_question import PreparedQuestion
from .titles import Titles, certainty

# Set together with those of linked_search.py.
REACHED = 80  # maximum number of passages examined for each seed
RESIDUAL = 0.75  # share of the seed's vector that is subtracted from the question's
FLOOR, MEANT, OPEN = 0.2, 1.5, 1.0  # weights for matching what is left open: constant, by vectors, by words
NAMED = 0.8  # minimum match of a passage whose title the seed mentions
BESIDE, BESIDE_TITLE = 1.0, 3.0  # weights of a name and of a title next to words of the question
_LEAST_SHARED = 0.05
_NAMES = 16


@dataclass(frozen=True)
class NameLinks:
    """Follows names to passages in the scope of one search."""

    store: Store
    view: View
    scope: ChunkScope
    titles: Titles
    passages: LinkedPassages
    asked: PreparedQuestion
    base: BaseScores

    def of_question(self) -> dict[ChunkKey, float]:
        """Return the best passage of each document whose title is in the question, with a score of 0-1."""
        found: dict[ChunkKey, float] = {}
        for form, documents in self.titles.named(self.asked.plain).items():
            share = certainty(form, len(documents)) * self.passages.rarity(form, self.asked.language)
            for key in self._best_of(documents[:REACHED]):
                found[key] = max(found.get(key, 0.0), share)
        return found

    def of_seed(self, seed: LinkedPassage) -> dict[ChunkKey, float]:
        """Return the passages a seed leads to, with scores of about 0-3."""
        asked, passages, language = self.asked, self.passages, self.asked.language
        own = title_forms(seed.title)
        leads = {form: held for form, held in self.titles.inside(seed.text).items() if not contains(asked.plain, form)}
        new = [name for name in dict.fromkeys((*seed.names, *own)) if not contains(asked.plain, name)]
        if not new and not leads:
            return {}
        beside = asked.beside(seed)
        rare = {name: passages.rarity(name, language) for name in new}
        shared = {name: rare[name] ** 2 * (1 + BESIDE * near(seed.text, name, beside)) for name in new}
        titled: dict[ChunkKey, float] = defaultdict(float)
        for form, documents in leads.items():
            sure = passages.rarity(form, language) / len(documents) ** 0.5
            sure *= 1 + BESIDE_TITLE * near(seed.text, form, beside)
            for key in self._best_of(documents[:REACHED]):
                titled[key] = max(titled[key], sure)
        left = [stem for stem in asked.weights if stem not in seed.stems]
        keys = [*titled, *self._holding(sorted(rare, key=lambda name: (-rare[name], name)), left)]
        others = [one for one in passages.load(list(dict.fromkeys(keys)), language) if one.key != seed.key]
        if not others:
            return {}
        rest = asked.vector - RESIDUAL * float(asked.vector @ seed.vector) * seed.vector
        rest = rest / max(float(np.linalg.norm(rest)), 1e-6)
        meant = np.maximum(np.stack([one.vector for one in others]) @ rest, 0.0)
        open_weight = sum(asked.weights[stem] for stem in left) + 0.15 * asked.whole
        scores: dict[ChunkKey, float] = {}
        for one, close in zip(others, meant, strict=True):
            common = sum(weight for name, weight in shared.items() if contains(one.text, name))
            title = titled.get(one.key, 0.0)
            if common <= _LEAST_SHARED and not title:
                continue
            worded = sum(asked.weights[stem] for stem in left if stem in one.stems) / open_weight
            says = FLOOR + MEANT * float(close) + OPEN * worded
            scores[one.key] = min(1.0, common) * says + title * max(NAMED, says)
        return scores

    def _best_of(self, documents: Iterable[int]) -> list[ChunkKey]:
        """Return for each document, given by its ordinal, the passage ranked best by the question, else its first."""
        found = []
        for document in documents:
            first = ChunkKey(document, 0)
            place = self.view.place(first)
            keys = [ChunkKey(document, position) for position in range(place[0].chunk_count if place else 0)]
            inside = [key for key in (self.base.best_of(keys), first) if key is not None and self.scope.holds(key)]
            found += inside[:1]
        return found

    def _holding(self, names: Sequence[str], left: Sequence[str]) -> list[ChunkKey]:
        """Return the passages that best match the rarest names and the words still open."""
        words = [word for word, own in self.asked.words.items() if own & set(left)]
        text = " ".join((*names[:_NAMES], *words))
        found, _ = self.store.index.keyword(text, self.scope, REACHED, count=False)
        return [key for key, _ in found if self.scope.holds(key)]

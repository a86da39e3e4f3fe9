"""Measures rereading as a whole and word by word: how often the first unit, and one of the first three, answers.

Run: ``python -m bench.answering.late_interaction [FIELD ...]``. For the parts of the questions on real PDFs it prints
the committed ranker alone, with the cosine of whole texts, with the comparison word by word, and with both, as
``kb/store/encoders/answer_reader.py`` does. ``selection_train`` chooses the weight of both; the cosine alone gets the
one chosen for it before.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

import numpy as np

from rabbithole.kb.store.encoders.answer_reader import WORDS, E5Reader, late_interaction, near_encoder
from rabbithole.kb.store.encoders.e5 import E5Encoder
from rabbithole.steps.selection.nearness import Floats
from rabbithole.steps.selection.ranker import load as load_ranker
from rabbithole.steps.selection.reranking import READ, first_units, reranked, said
from rabbithole.steps.selection.scoring import described
from rabbithole.steps.selection.text_vectors import TextVectors
from rabbithole.steps.selection.units.candidate_units import open_units
from rabbithole.steps.selection.weighted_question import Question

from .selection_sets import REAL, UNSEEN
from .selection_sets import load as load_set
from .selection_tables import labels, parts_of

COSINE = 140.0
WAYS: Mapping[str, tuple[float, float, int]] = {
    "ranker alone": (0.0, 0.0, READ),
    "whole, 8 units": (COSINE, 0.0, 8),
    "whole": (COSINE, 0.0, READ),
    "words": (0.0, load_ranker().rerank, READ),
    "both": (load_ranker().rerank, WORDS * load_ranker().rerank, READ),
}
"""Weights of the cosine and of the comparison word by word, and how many units are reread."""


Found = dict[str, list[tuple[bool, bool]]]


def measured(field: str, encoder: E5Encoder) -> Found:
    """Return for each way and part whether the first unit answers, and whether one of the first three does."""
    ranker = load_ranker()
    found: Found = {way: [] for way in WAYS}
    kb, asked = load_set(field)
    vectors = TextVectors(kb.embed, E5Reader())
    with kb:
        for one in asked:
            for part, candidates in parts_of(kb, field, one, vectors) if one.gold else ():
                kept, sentences, table = described(Question(part, kb.rarity), open_units(kb, candidates), vectors)
                if not sentences or not (gold := labels(kept, sentences, one.gold)).any():
                    continue
                scores = ranker.scores(table)
                first = first_units(sentences, scores)
                (question,) = encoder.read([part.whole or part.text], query=True)
                read = encoder.read([said(kept[at], part.whole or part.text) for at in first])
                whole = np.array([float(each.whole @ question.whole) for each in read])
                words = np.array([late_interaction(question, each) for each in read])
                units = [row.opened for row in sentences]
                for way, (of_whole, of_words, most) in WAYS.items():
                    near = dict(zip(first[:most], of_whole * whole + of_words * words, strict=False))
                    values = np.array([near.get(unit, np.nan) for unit in units])
                    order = _order(reranked(scores, values, 1.0), units)
                    answers = {unit for unit, value in zip(units, gold, strict=True) if value}
                    found[way].append((order[0] in answers, bool(answers & set(order[:3]))))
    return found


def _order(scores: Floats, units: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(units[at] for at in np.argsort(-scores, kind="stable")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("fields", nargs="*", default=(*REAL, *UNSEEN), help="collections; all where none is named")
    encoder = near_encoder()
    print(f"{'field':12} {'parts':>5}" + "".join(f"{way:>18}" for way in WAYS))
    every: Found = {way: [] for way in WAYS}
    for field in parser.parse_args().fields:
        found = measured(field, encoder)
        _print(field, found)
        for way, rows in found.items():
            every[way] += rows
    _print("all", every)


def _print(name: str, found: Mapping[str, Sequence[tuple[bool, bool]]]) -> None:
    cells = ["/".join(f"{value:.3f}" for value in np.mean(rows, axis=0)) for rows in found.values()]
    print(f"{name:12} {len(found['both']):5}" + "".join(f"{cell:>18}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()

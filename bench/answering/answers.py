"""Compares the chosen answers with simpler choices, in one table.

Run: ``python -m bench.answering.answers [--most 150] [--fields nist papers ordnungen]``.

- XQuAD: the best sentence of its passage and of all articles, beside BM25 alone and the encoder alone
- CLAP NQ: F1 of the sentences chosen from the passage that answers; and how well the probability separates answerable
  questions from others in the whole collection (area under the curve), beside BM25
- LegalQuAD: whether the gold span lies in the passage quoted, among all decisions
- collections of real PDFs (ingested below ``build/wild``): right, partly right, misleading, unanswerable questions
  recognised, median of words; beside the first hit and the first three hits as a whole

The weights were learned on the same sets; ``bench.answering.selection_train`` and, for the sentence in a unit,
``bench.answering.reader.train`` print held-out figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from sklearn.metrics import roc_auc_score

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.encoders.answer_reader import span_reader
from rabbithole.steps.selection import AnswerCandidate, Selection, gather, question_part, select_units
from rabbithole.steps.selection.features import NAMES
from rabbithole.steps.selection.nearness import Floats
from rabbithole.steps.selection.ranker import load as load_ranker
from rabbithole.steps.selection.scoring import scored
from rabbithole.steps.selection.text_vectors import TextVectors
from rabbithole.steps.selection.units.candidate_units import open_units
from rabbithole.steps.selection.weighted_question import Question

from .selection_sets import BUILD, FIELDS, Asked, Span, load
from .selection_tables import Kept, KeptNearness, kept_nearness, labels
from .wild_answers import answered, hits, summary

_ALSO = 0.5
"""A sentence with at least this share of the best sentence's score also counts as an answer."""


def first_right(scores: Floats, gold: Floats) -> bool:
    return bool(len(scores) and gold[int(np.argmax(scores))] > 0)


def _kept(kb: KnowledgeBase, name: str) -> tuple[Kept, KeptNearness, TextVectors]:
    """Return the encoder and the reader of a set, with what they returned before, and both as used for an answer."""
    encoder, again = Kept(kb.embed, BUILD / f"{name}.vectors.npz"), kept_nearness(name)
    return encoder, again, TextVectors(encoder, again, span_reader())


def xquad(name: str, most: int) -> str:
    """Return a line with the accuracy of the best sentence, of the passage and of all."""
    kb, asked = load(name)
    encoder, reader, vectors = _kept(kb, name)
    found: dict[str, list[bool]] = {}
    with kb:
        for one in asked[:: max(1, round(len(asked) / most))]:
            part = question_part(one.text, one.language)
            question = Question(part, kb.rarity)
            document, start, _ = one.gold[0]
            section = kb.section_at(document, start)
            assert section is not None
            own = AnswerCandidate(document=document, start=section.start, end=section.end, score=1.0)
            for where, candidates in (("passage", (own,)), ("all", gather(kb, part, reader=vectors.answer_reader))):
                chosen = scored(question, open_units(kb, candidates), vectors, load_ranker())
                gold = labels(chosen.units, chosen.sentences, one.gold)
                for label, scores in (
                    ("bm25", chosen.table[:, NAMES.index("bm25_sentence")]),
                    ("encoder", chosen.table[:, NAMES.index("gap_near_sentence")]),
                    ("chosen", chosen.scores),
                ):
                    found.setdefault(f"{where} {label}", []).append(first_right(scores, gold))
    encoder.save()
    reader.save()
    return _line(name, found)


def clapnq(most: int) -> list[str]:
    kb, asked = load("clapnq")
    encoder, reader, vectors = _kept(kb, "clapnq")
    chance, words, truth, scores = [], [], [], []
    with kb:
        for one in asked[:: max(1, round(len(asked) / most))]:
            part = question_part(one.text, "en")
            selection = select_units(
                part, open_units(kb, gather(kb, part, reader=vectors.answer_reader)), kb.rarity, vectors
            )
            chance.append(selection.probability)
            question = Question(part, kb.rarity)
            words.append(
                max((question.matcher.bm25(unit.unit.text.lower().split(), 80) for unit in selection.units), default=0)
            )
            truth.append(one.answerable)
            if one.answerable:
                section = kb.section_at(one.gold[0][0], one.gold[0][1])
                assert section is not None
                inside = (AnswerCandidate(document=section.document, start=section.start, end=section.end, score=1.0),)
                scores.append(_f1(select_units(part, open_units(kb, inside), kb.rarity, vectors), one.gold))
    encoder.save()
    reader.save()
    several, alone = np.mean([both for both, _ in scores]), np.mean([first for _, first in scores])
    by_chance, by_words = roc_auc_score(truth, chance), roc_auc_score(truth, words)
    return [
        f"clapnq: F1 of the sentences chosen {several:.3f}, of the first alone {alone:.3f}",
        f"clapnq: answerable told from others, AUC {by_chance:.3f}; by BM25 {by_words:.3f}",
    ]


def _f1(selection: Selection, gold: Sequence[Span]) -> tuple[float, float]:
    """Return F1 against the gold spans for all sentences that also answer, and for the first alone."""
    every = [(span.start, span.end, span.score) for unit in selection.units for span in unit.sentences]
    if not every:
        return 0.0, 0.0
    every.sort(key=lambda one: (-one[2], one[0]))
    chosen = [one for one in every if one[2] >= _ALSO * every[0][2]]
    found = []
    for some in (chosen, every[:1]):
        hit = [any(min(e, high) - max(s, low) > 0.5 * (e - s) for _, low, high in gold) for s, e, _ in some]
        reached = [any(min(e, high) - max(s, low) > 0.5 * (high - low) for s, e, _ in some) for _, low, high in gold]
        precision, recall = float(np.mean(hit)), float(np.mean(reached))
        found.append(2 * precision * recall / (precision + recall) if precision + recall else 0.0)
    return found[0], found[1]


def legalquad(most: int) -> str:
    kb, asked = load("legalquad")
    encoder, reader, vectors = _kept(kb, "legalquad")
    found: dict[str, list[bool]] = {}
    with kb:
        for one in asked[:: max(1, round(len(asked) / most))]:
            part = question_part(one.text, "de")
            candidates = gather(kb, part, reader=vectors.answer_reader)
            selection = select_units(part, open_units(kb, candidates), kb.rarity, vectors)
            shown = [(u.unit.document, u.unit.start, u.unit.end) for u in selection.units]
            found.setdefault("first unit", []).append(_holds(shown[:1], one))
            found.setdefault("quoted", []).append(_holds(shown[: max(1, selection.shown)], one))
            first = [(each.document, each.start, each.end) for each in candidates[:1]]
            found.setdefault("first hit whole", []).append(_holds(first, one))
    encoder.save()
    reader.save()
    return _line("legalquad", found)


def _holds(spans: Sequence[Span], one: Asked) -> bool:
    return any(
        d == document and start <= low and high <= end for document, start, end in spans for d, low, high in one.gold
    )


def field(name: str) -> list[str]:
    kb, asked = load(name)
    lines = []
    with kb:
        every = list(asked)
        lines.append(f"{name}: answer           {summary([answered(kb, one) for one in every], every)}")
        for count, label in ((1, "first hit whole  "), (3, "first three hits ")):
            lines.append(f"{name}: {label}{summary([hits(kb, one, count) for one in every], every)}")
    return lines


def _line(name: str, found: dict[str, list[bool]]) -> str:
    count = len(next(iter(found.values())))
    return f"{name} (n {count}): " + "; ".join(f"{label} {np.mean(values):.3f}" for label, values in found.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--most", type=int, default=150, help="questions of a set")
    parser.add_argument("--fields", nargs="*", default=list(FIELDS))
    parser.add_argument("--sets", nargs="*", default=["xquad_en", "xquad_de", "clapnq", "legalquad"])
    options = parser.parse_args()
    for name in options.sets:
        if name.startswith("xquad"):
            print(xquad(name, options.most), flush=True)
        elif name == "clapnq":
            print("\n".join(clapnq(options.most)), flush=True)
        else:
            print(legalquad(options.most), flush=True)
    for name in options.fields:
        print("\n".join(field(name)), flush=True)


if __name__ == "__main__":
    main()

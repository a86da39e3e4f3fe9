"""Train the ranker of answers and the probability of an answer; writes ``rabbithole/steps/selection/model.json``.

Run: ``python -m bench.selection_train [--ablation] [--dry]``. Public sets teach the ranker (XQuAD de and en, CLAP NQ, LegalQuAD,
rulebooks of ADGM, single steps of MuSiQue), five-fold by article or decision; every set is also measured by a model that
never saw it. The fields of real PDFs join for the last step only, and each is measured by a model that saw the others.
Seeded; the same data give the same file.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from rabbithole.steps.selection.features import NAMES, Floats
from rabbithole.steps.selection.ranker import MODEL, VERDICT, Ranker, load_model, verdict_facts

from .selection_sets import FIELDS, PUBLIC
from .selection_tables import Table, cached

SEED = 16
FOLDS = 5
TREES, DEPTH, RATE = 80, 3, 0.1
NEGATIVES = 40
"""Rows without an answer that are kept of a question: the hardest half by words, the rest at random."""
MONOTONE = {
    name: 1
    for name in NAMES
    if name.startswith(("said_", "together", "bm25_", "gap_", "near_", "rarest", "second_rarest"))
    or name in ("search_score", "search_rank", "holds_kind", "title_gap", "named")
} | {"outdated": -1}
UNSEEN = ("outdated", "named")
"""Features without examples in the public sets: their weight is set by their meaning, log-odds."""
PRIOR = {"outdated": -1.0, "named": 2.0}
FIELD_WEIGHT = 4.0
MOST = 300
"""Questions taken of a set."""
GROUPS = {
    "words of the sentence": ("said_sentence", "together", "bm25_sentence", "gap_sentence", "bm25_rank"),
    "words of the unit": ("said_unit", "said_around", "said_head", "together_unit", "bm25_unit", "gap_unit"),
    "headings and title": ("said_heading", "said_path", "said_title", "said_everywhere", "title_gap"),
    "rarest words": ("rarest", "second_rarest"),
    "encoder": ("near_sentence", "near_unit", "near_passage", "gap_near_sentence", "gap_near_unit", "near_rank"),
    "search": ("search_score", "search_rank"),
    "type of answer": ("holds_kind", "asks_figure", "new_figures", "new_names", "defines", "listed"),
    "negation": ("negation",),
    "position and length": ("first_sentence", "first_unit", "length_sentence", "length_unit", "tabled"),
}


def fit_ranker(groups: Sequence[tuple[Table, float]], without: Sequence[str] = ()) -> HistGradientBoostingClassifier:
    rows, answers, weights = [], [], []
    generator = np.random.default_rng(SEED)
    hard = NAMES.index("bm25_rank")
    for table, weight in groups:
        positive = np.flatnonzero(table.answers > 0)
        negative = np.flatnonzero(table.answers == 0)
        if not len(positive):
            continue
        order = negative[np.argsort(-table.rows[negative, hard], kind="stable")]
        rest = order[NEGATIVES // 2 :]
        chosen = generator.choice(rest, size=min(len(rest), NEGATIVES // 2), replace=False) if len(rest) else rest
        kept = np.concatenate((positive, order[: NEGATIVES // 2], chosen)).astype(int)
        rows.append(table.rows[kept])
        answers.append(table.answers[kept])
        weights.append(np.where(table.answers[kept] > 0, weight / len(positive), weight / max(len(kept) - len(positive), 1) * 2))
    matrix = np.concatenate(rows)
    model = HistGradientBoostingClassifier(
        max_iter=TREES, max_depth=DEPTH, learning_rate=RATE, min_samples_leaf=40, l2_regularization=2.0,
        monotonic_cst=[0 if name in without else MONOTONE.get(name, 0) for name in NAMES], random_state=SEED,
        early_stopping=False,
    )  # fmt: skip
    model.fit(_blank(matrix, without), np.concatenate(answers), sample_weight=np.concatenate(weights))
    return model


def _blank(matrix: Floats, without: Sequence[str]) -> Floats:
    hidden = [NAMES.index(name) for name in (*without, *UNSEEN)]
    copy = matrix.copy()
    copy[:, hidden] = 0.0
    return copy


def exported(model: HistGradientBoostingClassifier) -> dict[str, Any]:
    """The trees as nodes [feature, threshold, left, right] or [value]."""
    trees = []
    for (one,) in model._predictors:  # noqa: SLF001  scikit-learn gives no other way to the trees
        trees.append([
            [round(float(node["value"]), 5)] if node["is_leaf"]
            else [int(node["feature_idx"]), round(float(node["num_threshold"]), 6), int(node["left"]), int(node["right"])]
            for node in one.nodes
        ])  # fmt: skip
    return {"base": float(np.ravel(model._baseline_prediction)[0]), "trees": trees, "linear": PRIOR}  # noqa: SLF001


def ranker_of(model: HistGradientBoostingClassifier) -> Ranker:
    return load_model({**exported(model), "features": list(NAMES), "verdict": {}, "verdict_base": 0.0, "answered": 0.5,
                       "partly": 0.25})  # fmt: skip


def right(table: Table, scores: Floats) -> bool:
    return bool(len(scores) and table.answers[int(np.argmax(scores))] > 0)


def accuracy(tables: Sequence[Table], score: Any) -> float:
    able = [table for table in tables if table.answers.sum() > 0]
    return float(np.mean([right(table, score(table.rows)) for table in able])) if able else 0.0


def fold_of(group: str) -> int:
    return zlib.crc32(group.encode()) % FOLDS


def facts_of(table: Table, ranker: Ranker) -> tuple[list[float], bool] | None:
    if not len(table.rows):
        return None
    scores = ranker.scores(table.rows)
    facts = verdict_facts(table.rows, scores, list(table.units), table.terms)
    return [facts[name] for name in VERDICT], right(table, scores)


def fit_verdict(facts: Sequence[tuple[list[float], bool, float]]) -> LogisticRegression:
    values = np.array([row for row, _, _ in facts])
    spread = values.std(axis=0) + 1e-9
    model = LogisticRegression(C=1.0, max_iter=2000)
    model.fit(values / spread, [answers for _, answers, _ in facts], sample_weight=[weight for _, _, weight in facts])
    model.coef_ = model.coef_ / spread
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ablation", action="store_true", help="what each group of features is worth")
    parser.add_argument("--dry", action="store_true", help="write no model")
    parser.add_argument("--sets", nargs="*", default=list(PUBLIC))
    parser.add_argument("--output", type=Path, default=MODEL)
    options = parser.parse_args()
    public = {name: tuple(own[:MOST] for own in cached(name)) for name in options.sets}
    fields = {name: cached(name) for name in FIELDS}
    every = {**public, **fields}
    rankers = _rankers(every)
    _table_of_sets(every, rankers)
    if options.ablation:
        _ablation(public, fields)
    everything = [(table, _weight(name)) for name, (full, _) in every.items() for table in full]
    model = fit_ranker(everything)
    verdict = _verdict(every, rankers)
    data = {
        "about": "made by bench/selection_train.py; boosted trees over the features, then a logistic verdict",
        "seed": SEED, "features": list(NAMES), **exported(model), **verdict,
    }  # fmt: skip
    if not options.dry:
        options.output.write_text(json.dumps(data, separators=(",", ":")).replace("]],[[", "]],\n[[") + "\n", "utf8")
        print("written:", options.output, options.output.stat().st_size, "bytes")


def _weight(name: str) -> float:
    return FIELD_WEIGHT if name in FIELDS else 1.0


def _rankers(every: dict[str, Any]) -> dict[str, Ranker]:
    """For each fold of articles, and each field of real PDFs, a ranker that never saw it."""
    made = {}
    for fold in range(FOLDS):
        kept = [(t, _weight(name)) for name, (full, _) in every.items() for t in full
                if name in FIELDS or fold_of(t.group) != fold]  # fmt: skip
        made[str(fold)] = ranker_of(fit_ranker(kept))
    for field in FIELDS:
        kept = [(t, _weight(name)) for name, (full, _) in every.items() for t in full if name != field]
        made[field] = ranker_of(fit_ranker(kept))
    return made


def unseen(rankers: dict[str, Ranker], name: str, table: Table) -> Ranker:
    return rankers[name] if name in FIELDS else rankers[str(fold_of(table.group))]


def _table_of_sets(every: dict[str, Any], rankers: dict[str, Ranker]) -> None:
    print(f"{'set':12} {'n':>4} {'bm25':>6} {'encoder':>8} {'learned':>8}   first sentence answers, held out by article or field")
    for name, (full, _) in every.items():
        able = [table for table in full if table.answers.sum() > 0]
        learned = np.mean([right(table, unseen(rankers, name, table).scores(table.rows)) for table in able])
        bm25 = accuracy(able, lambda rows: rows[:, NAMES.index("bm25_sentence")])
        near = accuracy(able, lambda rows: rows[:, NAMES.index("near_sentence")])
        print(f"{name:12} {len(able):4} {bm25:6.3f} {near:8.3f} {learned:8.3f}", flush=True)


def _ablation(public: dict[str, Any], fields: dict[str, Any]) -> None:
    """Without each group: public sets by folds of articles (first fold), fields by models that saw only public sets."""
    train = [(t, 1.0) for full, _ in public.values() for t in full if fold_of(t.group) != 0]
    test = {name: [t for t in full if fold_of(t.group) == 0] for name, (full, _) in public.items()}
    test |= {"fields": [t for full, _ in fields.values() for t in full]}
    print(f"{'without':24}" + "".join(f"{name:>11}" for name in test))
    for label, hidden in {"nothing": (), **GROUPS}.items():
        ranker = ranker_of(fit_ranker(train, hidden))
        values = [accuracy(rows, lambda table, h=hidden: ranker.scores(_blank(table, h))) for rows in test.values()]  # type: ignore[misc]
        print(f"{label:24}" + "".join(f"{value:11.3f}" for value in values), flush=True)


def _verdict(every: dict[str, Any], rankers: dict[str, Ranker]) -> dict[str, Any]:
    """Probabilities from questions held out of the ranker, with and without their answer in the collection."""
    facts: dict[str, list[tuple[list[float], bool, float, str]]] = {name: [] for name in every}
    for name, (full, without) in every.items():
        for table in (*full, *without):
            if (made := facts_of(table, unseen(rankers, name, table))) is not None:
                facts[name].append((*made, 1.0, table.id))
    for name, rows in facts.items():
        if len({answers for _, answers, _, _ in rows}) < 2:
            continue
        scale = 400.0 / len(rows)
        facts[name] = [(values, answers, scale, key) for values, answers, _, key in rows]
    print(f"{'set':12} {'AUC unseen':>11} {'bm25 AUC':>9} {'said yes':>9} {'wrong of yes':>13}")
    for name, rows in facts.items():
        others = [row[:3] for other, own in facts.items() if other != name for row in own]
        model = fit_verdict(others)
        values = np.array([row for row, _, _, _ in rows])
        chance = model.predict_proba(values)[:, 1]
        truth = np.array([answers for _, answers, _, _ in rows])
        if truth.all() or not truth.any():
            continue
        words = values[:, VERDICT.index("said_unit")]
        yes = chance >= 0.5
        wrong = float((~truth[yes]).mean()) if yes.any() else 0.0
        print(f"{name:12} {roc_auc_score(truth, chance):11.3f} {roc_auc_score(truth, words):9.3f} {yes.mean():9.3f} {wrong:13.3f}")
    final = fit_verdict([row[:3] for own in facts.values() for row in own])
    return {
        "verdict": {name: round(float(value), 5) for name, value in zip(VERDICT, final.coef_[0], strict=True)},
        "verdict_base": round(float(final.intercept_[0]), 5),
        "answered": 0.5,
        "partly": 0.3,
    }


if __name__ == "__main__":
    main()

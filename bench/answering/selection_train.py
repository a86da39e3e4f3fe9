"""Trains the answer ranker and the answer probability; writes ``rabbithole/steps/selection/model.json``.

Run: ``python -m bench.answering.selection_train [--ablation] [--dry]``.

The ranker is a conditional logit (McFadden, 1974): in the softmax over the sentences of a question, those that answer,
and those in the same unit, must have the largest share. Features that can only speak for an answer get no negative
weight. Public sets (XQuAD de and en, CLAP NQ, LegalQuAD, rulebooks of ADGM, single steps of MuSiQue) are split by
article or decision. Fields of real PDFs join for the last step, and each is measured by a model that never saw it. The
same data give the same file.
"""

from __future__ import annotations

import argparse
import itertools
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

from rabbithole.steps.selection.features import NAMES
from rabbithole.steps.selection.nearness import Floats
from rabbithole.steps.selection.ranker import MODEL, VERDICT, Ranker, load_model, sigmoid, verdict_facts
from rabbithole.steps.selection.reranking import reranked

from .selection_sets import FIELDS, PUBLIC, REAL, SHORT, collection_of
from .selection_tables import Table, cached

FOLDS = 5
PENALTY = 0.1
"""Penalty on the squared weights, in standard deviations of their features."""
SENTENCE = 0.5
"""Share of the loss for the exact sentence; the rest is for its unit."""
ROWS = 200
"""Most sentences taken from a question: those that answer, and the first by words."""
LEAST_SPREAD = 0.15
"""Least spread of a feature: one that hardly varies in the sets must not get a large weight."""
SIGNED = frozenset(
    name
    for name in NAMES
    if name.startswith(("said_", "whole_", "together", "bm25_", "gap_", "near_", "like_", "rarest", "second_rarest"))
    or name in ("search_score", "search_rank", "holds_kind", "title_gap", "names_said")
)
PRIOR = {
    "outdated": -1.5,
    "named": 2.0,
    "announces": -1.5,
    "broken_off": -0.7,
    "headline": -3.0,
    "front_matter": -1.5,
    "begins_with_term": 1.0,
    "heading_asked": 4.0,
    "another_number": -3.0,
    "lacks_acronym": -2.0,
}
"""Features without examples in the sets get a weight by their meaning, in log-odds."""
WEIGHT = {"xquad_en": 0.5, "xquad_de": 0.5, "musique": 0.5} | dict.fromkeys(SHORT, 0.25)
"""Weight of a set; 1 for the others. The two XQuAD sets are one set in two languages, with easy articles; the sets of
short questions are small."""
ANSWERED, PARTLY = 0.85, 0.25
"""Probabilities from which on a passage is called an answer, and may be one."""
VERDICT_WEIGHT = 2.0
"""Weight of a set of real PDFs in training the verdict; 1 for a public set, where answers are easier to tell."""
RERANK = (0, 40, 60, 80, 100, 120, 140)
"""Weights tried for the cosine of a reread unit."""
GROUPS = {
    "words of the sentence": ("said_sentence", "together", "bm25_sentence", "gap_sentence", "bm25_rank"),
    "words of the unit": ("said_unit", "said_around", "said_head", "together_unit", "bm25_unit", "gap_unit"),
    "headings and title": ("said_heading", "said_path", "said_title", "said_everywhere", "title_gap"),
    "rarest words": ("rarest", "second_rarest"),
    "encoder": ("near_sentence", "near_unit", "near_passage", "gap_near_sentence", "gap_near_unit", "near_rank"),
    "words of like meaning": tuple(name for name in NAMES if name.startswith("like_")),
    "search": ("search_score", "search_rank"),
    "type of answer": ("holds_kind", "asks_figure", "new_figures", "new_names", "defines", "listed"),
    "negation": ("negation",),
    "position and length": ("first_sentence", "first_unit", "length_sentence", "length_unit", "tabled"),
}


def fit_ranker(groups: Sequence[tuple[Table, float]], without: Sequence[str] = ()) -> Floats:
    """Return the feature weights learned from the tables of questions, each with its weight."""
    hidden = [NAMES.index(name) for name in (*without, *PRIOR)]
    rows, answers, units, starts, weights = [], [], [], [], []
    count = 0
    for table, weight in groups:
        if not table.answers.any():
            continue
        order = np.argsort(-table.rows[:, NAMES.index("said_around")], kind="stable")[:ROWS]
        kept = np.union1d(order, np.flatnonzero(table.answers))
        rows.append(table.rows[kept])
        answers.append(table.answers[kept] > 0)
        units.append(np.isin(table.units[kept], table.units[table.answers > 0]))
        starts.append(count)
        weights.append(weight)
        count += len(kept)
    matrix = np.concatenate(rows)
    matrix[:, hidden] = 0.0
    spread = np.maximum(matrix.std(axis=0), LEAST_SPREAD)
    begins, share = np.array(starts), np.array(weights) / sum(weights)
    question = np.repeat(np.arange(len(begins)), np.diff([*begins, count]))
    matrix = matrix / spread
    wanted = ((np.concatenate(answers), SENTENCE), (np.concatenate(units), 1.0 - SENTENCE))

    def loss(values: Floats) -> tuple[float, Floats]:
        scores = matrix @ values
        powers = np.exp(scores - np.maximum.reduceat(scores, begins)[question])
        total = np.add.reduceat(powers, begins)
        value, slope = PENALTY * float(values @ values), 2 * PENALTY * values
        for mask, part in wanted:
            held = np.add.reduceat(powers * mask, begins)
            value += part * float(share @ -np.log(held / total))
            pull = powers / total[question] - np.where(mask, powers / held[question], 0.0)
            slope = slope + part * (matrix.T @ (pull * share[question]))
        return value, slope

    bounds = [(0.0, None) if name in SIGNED else (None, None) for name in NAMES]
    found = minimize(loss, np.zeros(len(NAMES)), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 300})
    return np.asarray(found.x / spread)


def exported(weights: Floats) -> dict[str, float]:
    found = {name: round(float(value), 5) for name, value in zip(NAMES, weights, strict=True) if abs(value) > 1e-5}
    return {name: value for name, value in (found | PRIOR).items() if value}


def ranker_of(weights: Floats, rerank: float = 0.0) -> Ranker:
    return load_model(
        {
            "weights": exported(weights),
            "rerank": rerank,
            "verdict": {},
            "verdict_base": 0.0,
            "answered": 0.5,
            "partly": 0.3,
        }
    )


def scores_of(ranker: Ranker, table: Table) -> Floats:
    """Return the scores by which an answer is chosen: the ranker's, corrected for the units reread."""
    return reranked(ranker.scores(table.rows), table.read, ranker.rerank)


def _plain(ranker: Ranker) -> Callable[[Table], Floats]:
    return lambda table: ranker.scores(table.rows)


def rerank_weight(every: dict[str, Any], rankers: dict[str, Ranker]) -> float:
    """Return the rerank weight that is best on fields of real PDFs; print, for each set, the choice of the others."""
    rates: dict[str, Floats] = {}
    for name, (full, _) in every.items():
        own = [(table, unseen(rankers, name, table)) for table in full if table.answers.any()]
        rates[name] = np.array([
            [np.mean([one(table, scores_of(replace(ranker, rerank=weight), table)) for table, ranker in own])
             for one in (right, right_unit, right_of_three)]
            for weight in RERANK
        ])  # fmt: skip
    fields = [name for name in every if name in REAL]
    print("Units read again, by weight: first sentence answers; its unit does; one of three units does")
    print(f"{'set':12}" + "".join(f"{weight:^16g}" for weight in RERANK) + f"{'chosen by others':^20}")
    for name, table in rates.items():
        others = sum(rates[other][:, 1] for other in fields if collection_of(other) != collection_of(name))
        best = int(np.argmax(others))
        cells = ["/".join(f"{value:.2f}" for value in row) for row in (*table, table[best])]
        print(f"{name:12}" + "".join(f"{cell:^16}" for cell in cells))
    return float(RERANK[int(np.argmax(sum(rates[name][:, 1] for name in fields)))])


Measure = Callable[[Table, Floats], bool]


def right(table: Table, scores: Floats) -> bool:
    """Return whether the first sentence answers."""
    return bool(len(scores) and table.answers[int(np.argmax(scores))] > 0)


def right_unit(table: Table, scores: Floats) -> bool:
    """Return whether the unit of the first sentence contains an answer."""
    return bool(len(scores) and table.units[int(np.argmax(scores))] in table.units[table.answers > 0])


def right_of_three(table: Table, scores: Floats) -> bool:
    """Return whether one of the first three units contains an answer."""
    first = list(dict.fromkeys(table.units[np.argsort(-scores, kind="stable")]))[:3]
    return bool(np.isin(first, table.units[table.answers > 0]).any())


def accuracy(tables: Sequence[Table], score: Callable[[Table], Floats], measure: Measure = right) -> float:
    able = [table for table in tables if table.answers.any()]
    return float(np.mean([measure(table, score(table)) for table in able])) if able else 0.0


def fold_of(group: str) -> int:
    return zlib.crc32(group.encode()) % FOLDS


def facts_of(table: Table, ranker: Ranker) -> tuple[list[float], bool] | None:
    if not len(table.rows):
        return None
    scores = scores_of(ranker, table)
    facts = verdict_facts(table.rows, scores, table.read, list(table.units), table.places, table.reading)
    return [facts[name] for name in VERDICT], right_unit(table, scores)


def fit_verdict(facts: Sequence[tuple[list[float], bool, float]]) -> tuple[Floats, float]:
    """Return the non-negative weights and the constant of a logistic regression."""
    values = np.array([row for row, _, _ in facts])
    truth = np.array([1.0 if answers else -1.0 for _, answers, _ in facts])
    share = np.array([weight for _, _, weight in facts])
    share = share / share.sum()
    spread = np.maximum(values.std(axis=0), LEAST_SPREAD)
    matrix = np.column_stack((values / spread, np.ones(len(values))))

    def loss(found: Floats) -> tuple[float, Floats]:
        margin = truth * (matrix @ found)
        pull = -truth * share / (1.0 + np.exp(np.clip(margin, -30, 30)))
        penalty = np.append(found[:-1], 0.0) * 0.002
        return float(share @ np.logaddexp(0.0, -margin) + penalty @ found / 2), matrix.T @ pull + penalty

    bounds = [(0.0, None)] * len(VERDICT) + [(None, None)]
    found = minimize(loss, np.zeros(len(VERDICT) + 1), jac=True, method="L-BFGS-B", bounds=bounds).x
    return found[:-1] / spread, float(found[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ablation", action="store_true", help="what each group of features is worth")
    parser.add_argument("--dry", action="store_true", help="write no model")
    parser.add_argument("--sets", nargs="*", default=list(PUBLIC))
    parser.add_argument("--output", type=Path, default=MODEL)
    options = parser.parse_args()
    public = {name: cached(name) for name in options.sets}
    fields = {name: cached(name) for name in REAL}
    every = {**public, **fields}
    rankers = rankers_of(every)
    _table_of_sets(every, rankers)
    rerank = rerank_weight(every, rankers)
    if options.ablation:
        _ablation(every)
    data = model_of(every, rankers, rerank)
    if not options.dry:
        options.output.write_text(json.dumps(data, indent=1) + "\n", "utf8")
        print("written:", options.output, options.output.stat().st_size, "bytes")


def model_of(every: dict[str, Any], rankers: dict[str, Ranker], rerank: float) -> dict[str, Any]:
    """Return the content of a model file learned from these sets."""
    return {
        "about": "made by bench.answering.selection_train: weights of a conditional logit, then a verdict",
        "weights": exported(fit_ranker(_training(every, lambda name, table: True))),
        "rerank": rerank,
        **_verdict(every, {name: replace(one, rerank=rerank) for name, one in rankers.items()}),
    }


def _training(every: dict[str, Any], chosen: Callable[[str, Table], bool]) -> list[tuple[Table, float]]:
    """Return the tables to learn from; the questions of a set share its weight."""
    found = []
    for name, (full, _) in every.items():
        own = [table for table in full if table.answers.any() and chosen(name, table)]
        found += [(table, WEIGHT.get(name, 1.0) / len(own)) for table in own]
    return found


def rankers_of(every: dict[str, Any]) -> dict[str, Ranker]:
    """Return, for each fold of articles and each field of real PDFs, a ranker that never saw it."""
    made = {}
    for fold in range(FOLDS):
        some = _training(every, lambda name, table, f=fold: name in REAL or fold_of(table.group) != f)  # type: ignore[misc]
        made[str(fold)] = ranker_of(fit_ranker(some))
    for field in FIELDS:
        made[field] = ranker_of(fit_ranker(_training(every, lambda name, table, f=field: collection_of(name) != f)))  # type: ignore[misc]
    return made


def unseen(rankers: dict[str, Ranker], name: str, table: Table) -> Ranker:
    return rankers[collection_of(name)] if name in REAL else rankers[str(fold_of(table.group))]


def _table_of_sets(every: dict[str, Any], rankers: dict[str, Ranker]) -> None:
    print("First sentence answers; its unit does; one of three units does. Learned: held out by article or field.")
    print(f"{'set':12} {'n':>4}  {'bm25':^16} {'search, bm25':^16} {'encoder':^16} {'learned':^16}")
    columns: tuple[Callable[[Table], Floats], ...] = (
        lambda table: table.rows[:, NAMES.index("bm25_sentence")],
        lambda table: table.rows[:, NAMES.index("search_score")] + 0.01 * table.rows[:, NAMES.index("bm25_sentence")],
        lambda table: table.rows[:, NAMES.index("gap_near_sentence")],
    )
    for name, (full, _) in every.items():
        able = [table for table in full if table.answers.any()]
        cells = []
        for column in columns:
            cells.append([accuracy(able, column, one) for one in (right, right_unit, right_of_three)])
        cells.append([
            float(np.mean([one(table, unseen(rankers, name, table).scores(table.rows)) for table in able]))
            for one in (right, right_unit, right_of_three)
        ])  # fmt: skip
        print(
            f"{name:12} {len(able):4}  " + " ".join("/".join(f"{v:.2f}" for v in cell).center(16) for cell in cells),
            flush=True,
        )


def _ablation(every: dict[str, Any]) -> None:
    """Print the accuracy of units without each group of features: public sets by fold, each field by the others."""
    some = [name for name in every if name not in REAL]
    print(f"{'without':24}" + "".join(f"{name:>10}" for name in every))
    for label, hidden in {"nothing": (), **GROUPS}.items():
        public = ranker_of(
            fit_ranker(_training(every, lambda name, table: name in REAL or fold_of(table.group) > 1), hidden)
        )
        values = [
            accuracy(
                [t for t in every[name][0] if fold_of(t.group) <= 1],
                _plain(public),
                right_unit,
            )
            for name in some
        ]
        for field in FIELDS:
            own = ranker_of(fit_ranker(_training(every, lambda name, table, f=field: collection_of(name) != f), hidden))  # type: ignore[misc]
            values.append(accuracy(every[field][0], _plain(own), right_unit))
        print(f"{label:24}" + "".join(f"{value:10.2f}" for value in values), flush=True)


def _verdict(every: dict[str, Any], rankers: dict[str, Ranker]) -> dict[str, Any]:
    """Return the verdict learned from questions held out of the ranker, with and without their answers."""
    facts: dict[str, list[tuple[list[float], bool, float, str]]] = {name: [] for name in every}
    for name, (full, without) in every.items():
        for table in (*full, *without):
            if (made := facts_of(table, unseen(rankers, name, table))) is not None:
                facts[name].append((*made, 1.0, table.id))
    for name, rows in facts.items():
        if len({answers for _, answers, _, _ in rows}) < 2:
            continue
        scale = (VERDICT_WEIGHT if name in REAL else 1.0) * (0.5 if name in SHORT else 1.0) * 400.0 / len(rows)
        facts[name] = [(values, answers, scale, key) for values, answers, _, key in rows]
    print(f"{'set':12} {'AUC unseen':>11} {'words AUC':>9} {'said yes':>9} {'wrong of yes':>13}")
    unseen_fields: list[tuple[Floats, np.ndarray]] = []
    for name, rows in facts.items():
        others = [row[:3] for other, own in facts.items() if collection_of(other) != collection_of(name) for row in own]
        weights, constant = fit_verdict(others)
        values = np.array([row for row, _, _, _ in rows])
        chance = sigmoid(values @ weights + constant)
        truth = np.array([answers for _, answers, _, _ in rows])
        if truth.all() or not truth.any():
            continue
        words = values[:, VERDICT.index("together_unit")]
        yes = chance >= ANSWERED
        wrong = float((~truth[yes]).mean()) if yes.any() else 0.0
        auc, by_words = roc_auc_score(truth, chance), roc_auc_score(truth, words)
        print(f"{name:12} {auc:11.3f} {by_words:9.3f} {yes.mean():9.3f} {wrong:13.3f}")
        if name in REAL:
            unseen_fields.append((chance, truth))
    _print_reliability(*(np.concatenate(each) for each in zip(*unseen_fields, strict=True)))
    weights, constant = fit_verdict([row[:3] for own in facts.values() for row in own])
    return {
        "verdict": {name: round(float(value), 5) for name, value in zip(VERDICT, weights, strict=True)},
        "verdict_base": round(constant, 5),
        "answered": ANSWERED,
        "partly": PARTLY,
    }


def _print_reliability(chance: Floats, truth: np.ndarray) -> None:
    """Print how often the first unit answers, by the probability given, over all fields of real PDFs held out."""
    print("real PDFs, held out: probability, parts (half of them without their answer), share whose first unit answers")
    for low, high in itertools.pairwise((0.0, 0.1, 0.25, 0.45, 0.6, 0.75, 1.01)):
        own = truth[(chance >= low) & (chance < high)]
        print(f"  {low:.2f} to {min(high, 1.0):.2f}  {len(own):4}  {own.mean() if len(own) else 0.0:.2f}")


if __name__ == "__main__":
    main()

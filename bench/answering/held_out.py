"""Measures whole answers on each collection of real PDFs with a model that never saw it, beside the committed model.

Run: ``python -m bench.answering.held_out [FIELD ...] [--show]``. The ranker, the weight of rereading and the verdict
are learned from the other sets, with the tables of ``selection_train``. Nothing was learned from the questions in
``questions/unseen``: the committed model is measured on them, beside the first three hits of the search. ``--show``
prints the verdict on each question, its probability and how many of the statements it must have the answer has.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
from unittest.mock import patch

from rabbithole.steps.selection.ranker import Ranker, load, load_model

from .selection_sets import PUBLIC, REAL, UNSEEN, collection_of
from .selection_sets import load as load_set
from .selection_tables import cached
from .selection_train import model_of, rankers_of, rerank_weight
from .wild_answers import answered, hits, summary

SELECT = importlib.import_module("rabbithole.steps.selection.select")


def unseen_model(field: str) -> Ranker:
    """Return a model learned from every set except this field."""
    every = {name: cached(name) for name in (*PUBLIC, *REAL) if collection_of(name) != collection_of(field)}
    with contextlib.redirect_stdout(io.StringIO()):
        rankers = rankers_of(every)
        return load_model(model_of(every, rankers, rerank_weight(every, rankers)))


def report(field: str, model: Ranker, show: bool = False) -> str:
    kb, asked = load_set(field)
    with kb, patch.object(SELECT, "load", lambda: model):
        rows = [answered(kb, one) for one in asked]
    each = "".join(
        f"\n  {row.id:14} {row.verdict:9} {row.probability:.2f}  {sum(row.musts)}/{len(row.musts)}" for row in rows
    )
    return summary(rows, list(asked)) + (each if show else "")


def first_hits(field: str, count: int = 3) -> str:
    """Return the score of the first hits of the search, taken whole as the answer."""
    kb, asked = load_set(field)
    with kb:
        return summary([hits(kb, one, count) for one in asked], list(asked))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("fields", nargs="*", default=(*REAL, *UNSEEN), help="collections; all where none is named")
    parser.add_argument("--show", action="store_true", help="print a line for each question")
    options = parser.parse_args()
    for field in options.fields:
        if field in UNSEEN:
            print(f"{field:16} committed  {report(field, load(), options.show)}", flush=True)
            print(f"{field:16} three hits {first_hits(field)}", flush=True)
            continue
        print(f"{field:16} held out   {report(field, unseen_model(field), options.show)}", flush=True)
        print(f"{field:16} committed  {report(field, load(), options.show)}", flush=True)


if __name__ == "__main__":
    main()

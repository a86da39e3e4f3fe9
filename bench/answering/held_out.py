"""Measures whole answers on each collection of real PDFs with a model that never saw it, beside the committed model.

Run: ``python -m bench.answering.held_out [FIELD ...]``. The ranker, the weight of rereading and the verdict are learned
from the other sets, with the tables of ``selection_train``. Nothing was learned from the collections in
``questions/unseen``: the committed model is measured on them, beside the first three hits of the search.
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


def report(field: str, model: Ranker) -> str:
    kb, asked = load_set(field)
    with kb, patch.object(SELECT, "load", lambda: model):
        return summary([answered(kb, one) for one in asked], list(asked))


def first_hits(field: str, count: int = 3) -> str:
    """Return the score of the first hits of the search, taken whole as the answer."""
    kb, asked = load_set(field)
    with kb:
        return summary([hits(kb, one, count) for one in asked], list(asked))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("fields", nargs="*", default=(*REAL, *UNSEEN), help="collections; all where none is named")
    for field in parser.parse_args().fields:
        if field in UNSEEN:
            print(f"{field:12} committed  {report(field, load())}", flush=True)
            print(f"{field:12} three hits {first_hits(field)}", flush=True)
            continue
        print(f"{field:12} held out   {report(field, unseen_model(field))}", flush=True)
        print(f"{field:12} committed  {report(field, load())}", flush=True)


if __name__ == "__main__":
    main()

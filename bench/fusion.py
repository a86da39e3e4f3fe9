"""How much each side of hybrid search counts, and which keyword index: gold passages among the first ten.

Run: ``python -m bench.fusion [--set NAME]... [--cache FOLDER]``. Sets: gesetze (title finds section), and the
development questions of musique, hotpotqa, 2wiki (all hops count, so 1.0 is out of reach of any single search).
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import tantivy
from rabbithole.kb.search.fusion import fuse
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.embedding_models import make_embedder
from rabbithole.kb.store.embeddings import MULTILINGUAL
from rabbithole.kb.store.keywords import Entry, Keywords

from .retrieval_sets import RetrievalSet, laws, multihop

CANDIDATES = 100
Ranked = list[tuple[int, float]]
Search = Callable[[str], Ranked]


def stems(data: RetrievalSet, folder: Path) -> Search:
    index = Keywords(folder, create=True)
    index.change(add=[Entry(row, row, "c", data.language, text) for row, text in enumerate(data.passages)])
    return lambda query: index.search(query, CANDIDATES)[0]


def grams(data: RetrievalSet, size: int = 4) -> Search:
    """BM25 on n-grams of letters within words, folded."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("row", stored=True, indexed=False, fast=True)
    builder.add_text_field("grams", tokenizer_name="whitespace", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(128_000_000, 1)
    for row, text in enumerate(data.passages):
        document = tantivy.Document()
        document.add_unsigned("row", row)
        document.add_text("grams", " ".join(_grams(text, size)))
        writer.add_document(document)
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def search(query: str) -> Ranked:
        terms = dict.fromkeys(_grams(query, size))
        clauses = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "grams", term, "freq")) for term in terms]
        hits = searcher.search(tantivy.Query.boolean_query(clauses), CANDIDATES).hits
        rows = searcher.fast_field_values("row", [address for _, address in hits])
        return [(int(row), float(score)) for row, (score, _) in zip(rows, hits, strict=True) if row is not None]

    return search


def _grams(text: str, size: int) -> list[str]:
    words = "".join(c if c.isalnum() else " " for c in text.casefold().translate(_FOLD)).split()
    return [word[i : i + size] for word in words for i in range(max(1, len(word) - size + 1))]


_FOLD = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "é": "e", "è": "e"})


def reciprocal(left: Ranked, right: Ranked, weight: float, k: int = 60) -> Ranked:
    scores: dict[int, float] = {}
    for ranked, share in ((left, weight), (right, 1 - weight)):
        for rank, (item, _) in enumerate(ranked, 1):
            scores[item] = scores.get(item, 0.0) + share / (k + rank)
    return sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))


def figures(data: RetrievalSet, results: Sequence[Ranked]) -> str:
    """Share of gold passages in the first ten, and the mean reciprocal rank of the first of them."""
    recall, reciprocal_rank = 0.0, 0.0
    for gold, ranked in zip(data.gold, results, strict=True):
        items = [item for item, _ in ranked]
        recall += len(gold & set(items[:10])) / len(gold)
        reciprocal_rank += next((1 / rank for rank, item in enumerate(items, 1) if item in gold), 0.0)
    return f"{recall / len(results):6.3f} {reciprocal_rank / len(results):6.3f}"


def semantic(data: RetrievalSet, cache: Path | None) -> Search:
    embedder = make_embedder(MULTILINGUAL, KbSettings())
    stored = cache / f"{data.name}-{len(data.passages)}.npy" if cache else None
    if stored is not None and stored.exists():
        vectors = np.load(stored)
    else:
        parts = [embedder.embed(data.passages[i : i + 256]) for i in range(0, len(data.passages), 256)]
        vectors = np.concatenate(parts)
        if stored is not None:
            np.save(stored, vectors)

    def search(query: str) -> Ranked:
        scores = vectors @ embedder.embed([query], query=True)[0]
        best = np.argsort(-scores, kind="stable")[:CANDIDATES]
        return [(int(row), float(scores[row])) for row in best]

    return search


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", action="append", default=[], choices=["gesetze", "musique", "hotpotqa", "2wiki"])
    parser.add_argument("--cache", type=Path, help="keep the passages' vectors here")
    options = parser.parse_args()
    for name in options.set or ["gesetze", "musique", "hotpotqa", "2wiki"]:
        data = laws(questions=300) if name == "gesetze" else multihop(name)
        with tempfile.TemporaryDirectory() as folder:
            sides = {
                "stems": stems(data, Path(folder) / "index"),
                "4-grams": grams(data),
                "semantic": semantic(data, options.cache),
            }
            found = {side: [search(question) for question in data.questions] for side, search in sides.items()}
        print(f"{name}: {len(data.passages)} passages, {len(data.questions)} questions; recall@10, MRR")
        for side, results in found.items():
            print(f"  {side:38} {figures(data, results)}")
        found["stems + 4-grams"] = [fuse(a, b, 0.5) for a, b in zip(found["stems"], found["4-grams"], strict=True)]
        print(f"  {'stems + 4-grams, half each':38} {figures(data, found['stems + 4-grams'])}")
        for side in ("stems", "4-grams", "stems + 4-grams"):
            for weight in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
                pairs = list(zip(found["semantic"], found[side], strict=True))
                print(f"  semantic {weight:.1f} with {side:21} {figures(data, [fuse(a, b, weight) for a, b in pairs])}")
            ranked = [reciprocal(a, b, 0.5) for a, b in zip(found["semantic"], found[side], strict=True)]
            print(f"  reciprocal ranks with {side:16} {figures(data, ranked)}", flush=True)


if __name__ == "__main__":
    main()

"""Compares the weights of hybrid search and the keyword indexes: gold passages among the first ten.

Run: ``python -m bench.retrieval.fusion [--set NAME]... [--cache FOLDER] [--cost 100000]``.

Sets: gesetze (title finds section), sample (both languages: question finds the first place of its chain), and the
development questions of musique, hotpotqa, 2wiki (all hops count, so no single search can reach 1.0). ``--cost``
instead compares size and time of the keyword indexes among this many chunks of German laws.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import tantivy

from rabbithole.kb.search.fusion import fuse
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.embedding_models import make_embedder
from rabbithole.kb.store.encoders.embeddings import MULTILINGUAL
from rabbithole.kb.store.index.index_terms import LANGUAGES
from rabbithole.kb.store.index.keywords import KeywordEntry, Keywords

from .retrieval_sets import RetrievalSet, laws, multihop, sample

CANDIDATES = 100
Ranked = list[tuple[int, float]]
Search = Callable[[str], Ranked]


def stems(data: RetrievalSet, folder: Path) -> Search:
    index = Keywords(folder, create=True)
    index.change(add=[KeywordEntry(row, row, "c", data.language, text) for row, text in enumerate(data.passages)])
    return lambda query: index.search(query, CANDIDATES)[0]


class Fields:
    """An index with one field, given the words of a text; BM25 over the distinct words of a query."""

    def __init__(self, words: Callable[[str], list[str]], folder: Path | None = None) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("row", stored=True, indexed=False, fast=True)
        builder.add_text_field("words", tokenizer_name="whitespace", index_option="freq")
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema, path=str(folder) if folder else None)
        self._words = words

    def add(self, passages: Iterable[str]) -> None:
        writer = self._index.writer(128_000_000, 1)
        for row, text in enumerate(passages):
            document = tantivy.Document()
            document.add_unsigned("row", row)
            document.add_text("words", " ".join(self._words(text)))
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def search(self, query: str) -> Ranked:
        terms = dict.fromkeys(self._words(query))
        any_of = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "words", term, "freq")) for term in terms]
        )
        searcher = self._index.searcher()
        hits = searcher.search(any_of, CANDIDATES).hits
        rows = searcher.fast_field_values("row", [address for _, address in hits])
        return [(int(row), float(score)) for row, (score, _) in zip(rows, hits, strict=True) if row is not None]


def grams(data: RetrievalSet) -> Search:
    """Return a search over n-grams of letters within words, without accents."""
    index = Fields(_grams)
    index.add(data.passages)
    return index.search


def compounds(data: RetrievalSet) -> Search:
    """Return a search over stems and the stems of compounds' parts; parts are words that also occur alone."""
    words = Counter(word for text in data.passages for word in re.findall(r"[^\W\d_]{4,}", text.lower()))
    parts = [word for word, count in words.items() if count >= 3 and len(word) <= 14]
    language = LANGUAGES.get(data.language, "english")
    start = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase())
    whole = start.filter(tantivy.Filter.stopword(language)).filter(tantivy.Filter.stemmer(language)).build()
    start = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase())
    linked = [*parts, *(f"{part}s" for part in parts)]  # Strahlung-s-schutz
    split = start.filter(tantivy.Filter.split_compound(linked)).filter(tantivy.Filter.stopword(language))
    inside = split.filter(tantivy.Filter.stemmer(language)).build()

    def both(text: str) -> list[str]:
        found = whole.analyze(text)
        known = set(found)
        return [*found, *(word for word in inside.analyze(text) if word not in known)]

    index = Fields(both)
    index.add(data.passages)
    return index.search


def _grams(text: str, size: int = 4) -> list[str]:
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
    """Return the share of gold passages among the first ten, and the mean reciprocal rank of the first of them."""
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


def cost(chunks: int) -> None:
    """Print size on disk and query time of the product's stems and of 4-grams, over repeated sections of the laws."""
    data = laws(questions=60)
    passages = [data.passages[row % len(data.passages)] for row in range(chunks)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        began = time.process_time()
        index = Keywords(folder / "stems", create=True)
        index.change(add=[KeywordEntry(row, row, "c", "de", text) for row, text in enumerate(passages)])
        index.release()
        report("stems and pairs of words", folder / "stems", began, lambda q: index.search(q, CANDIDATES), data)
        (folder / "grams").mkdir()
        began = time.process_time()
        beside = Fields(_grams, folder / "grams")
        beside.add(passages)
        report("4-grams", folder / "grams", began, beside.search, data)


def report(name: str, folder: Path, began: float, search: Callable[[str], object], data: RetrievalSet) -> None:
    built = time.process_time() - began
    used = []
    for question in data.questions:
        start = time.process_time()
        search(question)
        used.append(1000 * (time.process_time() - start))
    size = sum(file.stat().st_size for file in folder.rglob("*")) / 2**20
    print(f"  {name:26} {size:7.1f} MB, built in {built:5.1f} cpu-s, a query {np.mean(used):6.1f} cpu-ms on average, "
          f"p95 {np.percentile(used, 95):6.1f}", flush=True)  # fmt: skip


SETS: dict[str, Callable[[], list[RetrievalSet]]] = {
    "gesetze": lambda: [laws(questions=300)],
    "sample": sample,
    "musique": lambda: [multihop("musique")],
    "hotpotqa": lambda: [multihop("hotpotqa")],
    "2wiki": lambda: [multihop("2wiki")],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", action="append", default=[], choices=list(SETS))
    parser.add_argument("--cache", type=Path, help="keep the passages' vectors here")
    parser.add_argument("--cost", type=int, default=0, metavar="CHUNKS")
    options = parser.parse_args()
    if options.cost:
        print(f"{options.cost} chunks of German laws, {60} titles asked")
        cost(options.cost)
        return
    for data in [data for name in options.set or list(SETS) for data in SETS[name]()]:
        compare(data, options.cache)


def compare(data: RetrievalSet, cache: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sides = {"stems": stems(data, Path(folder) / "index"), "4-grams": grams(data), "compounds": compounds(data)}
        sides["semantic"] = semantic(data, cache)
        found = {side: [search(question) for question in data.questions] for side, search in sides.items()}
    print(f"{data.name}: {len(data.passages)} passages, {len(data.questions)} questions; recall@10, MRR")
    for side, results in found.items():
        print(f"  {side:38} {figures(data, results)}")
    for share in (0.3, 0.5):
        found[f"stems + {share} 4-grams"] = [
            fuse(a, b, 1 - share) for a, b in zip(found["stems"], found["4-grams"], strict=True)
        ]
    for side in (side for side in found if side != "semantic"):
        for weight in (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
            pairs = list(zip(found["semantic"], found[side], strict=True))
            print(f"  semantic {weight:.1f} with {side:21} {figures(data, [fuse(a, b, weight) for a, b in pairs])}")
        ranked = [reciprocal(a, b, 0.5) for a, b in zip(found["semantic"], found[side], strict=True)]
        print(f"  reciprocal ranks with {side:16} {figures(data, ranked)}", flush=True)


if __name__ == "__main__":
    main()

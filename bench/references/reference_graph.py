"""Measures the graph of resolved references: seconds to build it, and to update it after one more document.

Run: ``python -m bench.references.reference_graph [--documents 60 1000]``. The acts are synthetic, with 20 sections each
that refer to their own sections, to themselves, in a circle to the next act, and all to the first section of the first
act. Processor time is printed beside wall-clock time, which other processes distort.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

from bench import figures as kept
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Chunk, Document, Section
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.records import IndexedDocument

GOALS = {60: 10.0, 1000: 180.0}
SECTIONS = 20
_BATCH = 100
_FIRST = ("Amber", "Birch", "Cedar", "Dover", "Ember", "Fjord", "Grove", "Haven", "Islet", "Jetty")
_SECOND = ("Bridge", "Canal", "Depot", "Engine", "Ferry", "Garden", "Harbour", "Island", "Jewel", "Kiln")
_THIRD = ("Levy", "Market", "Notice", "Order", "Permit", "Quota", "Record", "Safety", "Tariff", "Usage")


def title(number: int) -> str:
    """Return a different name for each of a thousand acts."""
    return (
        f"{_FIRST[number // 100 % 10]} {_SECOND[number // 10 % 10]} {_THIRD[number % 10]} Act {1900 + number // 1000}"
    )


def act(number: int, documents: int) -> IndexedDocument:
    texts = [
        f"Section {at + 1}\nA person to whom section {(at + 3) % SECTIONS + 1} applies shall give notice under section "
        f"{at + 1}. Section {at % 7 + 1} of the {title((number + 1) % documents)} applies as well. Nothing here limits "
        f"section 1 of the {title(0)}."
        for at in range(SECTIONS)
    ]
    name = f"a{number:06}"
    starts = [0, *accumulate(len(text) + 1 for text in texts)][:-1]
    sections = tuple(
        Section(
            id=f"{name}:s{at}", document=name, index=at, level=0, number=str(at + 1), start=start,
            own_end=start + len(text), end=start + len(text), page=0, last_page=0, page_label="1",
        )
        for at, (start, text) in enumerate(zip(starts, texts, strict=True))
    )  # fmt: skip
    chunks = tuple(
        Chunk(
            id=f"{name}:c{one.index}", document=name, section=one.id, section_path=(one.number,), page=0,
            page_label="1", start=one.start, end=one.end, text=text,
        )
        for one, text in zip(sections, texts, strict=True)
    )  # fmt: skip
    document = Document(
        id=name, collection="acts", file=f"{name}.txt", path=f"/{name}.txt", title=title(number), language="en", pages=1
    )
    return IndexedDocument(
        document=document, text="\n".join(texts), page_starts=(0,), page_labels=("1",), sections=sections, chunks=chunks
    )


def put(kb: KnowledgeBase, numbers: range, documents: int) -> None:
    for start in range(numbers.start, numbers.stop, _BATCH):
        made = [act(number, documents) for number in range(start, min(start + _BATCH, numbers.stop))]
        kb.put([(one, kb.embed([chunk.text for chunk in one.chunks])) for one in made])
    kb.store.release()


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall-clock seconds and processor seconds."""
    began, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - used


def measure(documents: int) -> None:
    with tempfile.TemporaryDirectory(prefix="rabbithole-bench-") as folder:
        settings = KbSettings(embedding_model="hash")
        with KnowledgeBase.open(Path(folder), settings, create=True) as kb:
            put(kb, range(documents), documents)
            collection: list[int] = []
            wall, busy = timed(lambda: collection.append(len(kb.collection_graph("acts").edges)))
            put(kb, range(documents, documents + 1), documents)
            again, again_busy = timed(lambda: kb.collection_graph("acts"))
        print(
            f"{documents} documents, {documents * SECTIONS} passages, {collection[0]} edges: {wall:.1f} s (processor "
            f"{busy:.1f}); after one more document {again:.1f} s ({again_busy:.1f})",
            flush=True,
        )
        if documents in GOALS:
            kept.at_most(f"reference graph of {documents} documents, processor time", busy, GOALS[documents], " s")
            kept.note("the same after one more document, processor time", f"{again_busy:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=sorted(GOALS))
    for documents in parser.parse_args().documents:
        measure(documents)


if __name__ == "__main__":
    main()

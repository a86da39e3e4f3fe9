"""Measures the fan-out of one run: time and memory of following 100 to 10,000 references from one passage.

Run: ``python -m bench.running.fanout [COUNT...]``. Documents and reasoner cost nothing here, so that only the flow is
measured: events, ledger, state, run store. Goal: linear, at most 5 ms of processor time for each reference, memory
bounded by the window.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, cast

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import (
    Chunk,
    CollectionInfo,
    Document,
    Hit,
    Place,
    QuotePlace,
    Reference,
    Resolution,
    SearchResult,
    Section,
)
from rabbithole.steps.models import Anchor, Evidence, TaskSummary, Todo
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import Extraction, GateCandidate, GateDecision, Passage, PlanBegun, TodoDraft
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.events import ReferenceFollowed, ResearchRequest
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

COUNTS = (100, 1_000, 2_000, 4_000, 10_000)
WIDTH = 40  # characters of a section


class Star:
    """One document whose first section refers to ``count`` others; the part of a knowledge base that the flow needs."""

    generation = 1

    def __init__(self, count: int) -> None:
        self.count = count
        self._document = Document(id="star", collection="C", file="star.pdf", path="/star.pdf", title="Star", pages=1)

    def require(self, names: Sequence[str]) -> tuple[str, ...]:
        return ("C",)

    def collections(self) -> tuple[CollectionInfo, ...]:
        return (CollectionInfo(name="C", documents=1, pages=1, chunks=1, embedding_model=""),)

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        return (self._document,)

    def document(self, document_id: str) -> Document:
        return self._document

    def section_by_id(self, section_id: str) -> Section:
        index = int(section_id.removeprefix("star:s"))
        start = index * WIDTH
        return Section(
            id=section_id,
            document="star",
            index=index,
            level=1,
            number=f"§ {index}",
            start=start,
            own_end=start + WIDTH,
            end=start + WIDTH,
            page=0,
            last_page=0,
        )

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return "x" * ((end if end is not None else start + WIDTH) - start)

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        return 0, "1"

    def search(self, query: str, collections: Sequence[str] = (), **_: Any) -> SearchResult:
        chunk = Chunk(id="star:c0", document="star", section="star:s0", page=0, start=0, end=WIDTH, text="x" * WIDTH)
        return SearchResult(total=1, hits=(Hit(chunk=chunk, score=1.0, file="star.pdf"),))

    def chunk(self, chunk_id: str) -> Chunk:
        return self.search("").hits[0].chunk

    def references(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]:
        if start != 0 or end == 0:
            return ()
        return tuple(
            Reference(start=0, end=1, text=f"§ {one}", kind="legal_section", target=f"§ {one}")
            for one in range(1, self.count + 1)
        )

    def resolve(self, reference: Reference, *, at: Place | None = None, collections: Sequence[str] = ()) -> Resolution:
        section = self.section_by_id(f"star:s{reference.text.removeprefix('§ ')}")
        return Resolution(
            status="resolved", rule="key", document="star", section=section.id, start=section.start, end=section.end
        )

    def neighbours(self, section_id: str) -> tuple[Section | None, Section | None]:
        return None, None

    def embed(self, texts: Sequence[str], *, query: bool = False) -> None:
        """Do nothing: there is no encoder to load."""

    def detect(self, text: str) -> tuple[Reference, ...]:
        return ()

    def validity_note(self, document_id: str) -> str:
        """Return '': there is no other edition and nothing is repealed."""
        return ""

    def find_quote(self, document_id: str, quote: str, *, page: int | None = None) -> QuotePlace | None:
        return None


class Eager(ExtractiveReasoner):
    """A reasoner that finds everything relevant and follows everything."""

    def for_run(self, recorder: Any, cache: Any = None) -> Eager:
        return self

    async def plan(
        self, anchor: Anchor, passages: Sequence[Passage], wanted: int, begun: PlanBegun | None = None
    ) -> tuple[TodoDraft, ...]:
        return ()

    async def extract(
        self, anchor: Anchor, todo: Todo, passages: Sequence[Passage], *, references: bool
    ) -> tuple[Extraction, ...]:
        return tuple(Extraction(key=passage.key, info="x", relevance=1.0) for passage in passages)

    async def gate(self, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]) -> tuple[GateDecision, ...]:
        return tuple(GateDecision(id=one.id, follow=True, reason="") for one in candidates)

    async def summarise(self, anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary:
        return TaskSummary(task=todo.id, text="")


async def dig(count: int, folder: Path) -> tuple[int, float, float]:
    """Return (followed, CPU seconds, wall seconds) from the start to the last followed reference."""
    settings = ResearchSettings(reference_token_budget=10**9, reference_follow_depth=1, initial_todo_items=1)
    runs = SqliteRunStore(folder / f"{count}.sqlite")
    flow = ResearchWorkflow(cast(KnowledgeBase, Star(count)), settings, Eager(), runs)
    cpu, wall = time.process_time(), time.monotonic()
    handler = flow.run(start_event=ResearchRequest(query="Wie gilt der Stern?", auto_approve=True))
    followed = 0
    async for event in handler.stream_events():
        followed += isinstance(event, ReferenceFollowed)
        if followed == count:
            break
    spent = time.process_time() - cpu, time.monotonic() - wall
    await handler.cancel_run()
    runs.close()
    if followed != count:
        raise RuntimeError(f"{followed} of {count} references followed")
    return followed, *spent


def main(counts: Sequence[int]) -> None:
    print(
        f"{'references':>10} {'followed':>9} {'CPU s':>8} {'ms CPU a ref':>13} {'wall s':>8} {'peak MB':>8} "
        f"{'KB a ref':>8}   goal 5 ms"
    )
    for count in counts:
        with ProcessPoolExecutor(1, get_context("spawn")) as one:  # one process each, so that peaks do not add up
            print(one.submit(measured, count).result(), flush=True)


def measured(count: int) -> str:
    before = resident()
    with tempfile.TemporaryDirectory() as folder:
        followed, cpu, wall = asyncio.run(dig(count, Path(folder)))
    peak = resident()
    each = f"{1024 * (peak - before) / count:.1f}"
    return f"{count:>10} {followed:>9} {cpu:>8.2f} {1000 * cpu / count:>13.2f} {wall:>8.2f} {peak:>8.0f} {each:>8}"


def resident() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or COUNTS)

"""The rabbithole benchmark: does research reach the places a question needs, compared with flat retrieval?

Run: ``python -m bench.running.rabbithole [--depth 3] [--only de-02] [--gold FILE --pdfs FOLDER] [--show]``.

Prints chain recall by depth, references followed to a wrong place, missing documents named, and tokens; beside flat
retrieval with the same embedder and as many tokens as research kept for its report. Described in
``docs/benchmark-rabbithole.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.sample.build import sample_folder
from rabbithole.steps.budget import tokens
from rabbithole.steps.report_models import Report
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ReportReady, ResearchRequest, ResearchWorkflow, SqliteRunStore

SAMPLE = Path(__file__).resolve().parents[2] / "kb" / "sample"
PDFS = sample_folder() / "pdf"
GOALS = {1: 0.98, 2: 0.95, 3: 0.90}
FLAT_HITS = 1000
Span = tuple[str, int, int]


@dataclass
class Score:
    """Places reached and wanted by depth, and tokens, over all questions."""

    reached: Counter[int] = field(default_factory=Counter)
    wanted: Counter[int] = field(default_factory=Counter)
    tokens: int = 0

    def add(self, chain: Sequence[dict[str, Any]], places: Sequence[Span], read: Iterable[Span]) -> list[str]:
        """Count a question; return the places that were not reached."""
        spans = list(read)
        unreached: list[str] = []
        for place, wanted in zip(chain, places, strict=True):
            self.wanted[place["depth"]] += 1
            if any(covers(wanted, span) for span in spans):
                self.reached[place["depth"]] += 1
            else:
                unreached.append(f"depth {place['depth']}: {place['file']} {place['section']}")
        return unreached

    def line(self, name: str) -> str:
        parts = [f"{self.reached[depth] / self.wanted[depth]:.3f}" for depth in sorted(self.wanted)]
        total = sum(self.reached.values()) / max(sum(self.wanted.values()), 1)
        spent = f"{self.tokens:>9}" if self.tokens else ""
        return f"{name:<44}" + "".join(f"{part:>9}" for part in parts) + f"{total:>9.3f}{spent}"


def covers(wanted: Span, read: Span) -> bool:
    """Return whether a place is reached: the text read contains the words quoted in the gold."""
    return wanted[0] == read[0] and read[1] <= wanted[1] and wanted[2] <= read[2]


def locate(kb: KnowledgeBase, files: dict[str, str], place: dict[str, Any]) -> Span:
    found = kb.find_quote(files[place["file"]], place["quote"])
    if found is None:
        raise SystemExit(f"{place['file']} does not say {place['quote']!r}; was the sample built with these sources?")
    return found.document, found.start, found.end


def kept(report: Report) -> dict[Span, str]:
    """Return everything the report was written from, each span once."""
    pieces = [piece for tier in report.evidence.values() for piece in tier]
    return {(piece.document, piece.start, piece.end): piece.key for piece in pieces if not piece.external}


def read_places(report: Report, kb: KnowledgeBase) -> list[Span]:
    """Return the sections read by following, whether or not anything of them was kept."""
    sections = [node.section for node in report.references.nodes if node.status == "read" and node.section]
    return [(found.document, found.start, found.end) for found in map(kb.section_by_id, sections)]


def flat(kb: KnowledgeBase, question: str, budget: int, mode: Any) -> tuple[list[Span], int]:
    """Return the best chunks for the question until the token budget is spent, and the tokens spent."""
    read: list[Span] = []
    spent = 0
    for hit in kb.search(question, mode=mode, top_k=FLAT_HITS).hits:
        cost = tokens(hit.chunk.text)
        if spent + cost > budget:
            break
        spent += cost
        read.append((hit.chunk.document, hit.chunk.start, hit.chunk.end))
    return read, spent


def wrong_places(report: Report, kb: KnowledgeBase, wrong: Sequence[dict[str, Any]]) -> list[str]:
    """Return the followed references that lead to a place the gold lists as wrong.

    A whole document is wrong only if reached from another one; text found in it by search may cite its own sections.
    """
    met: list[str] = []
    for edge in report.references.edges:
        source, node = (report.references.nodes[at] for at in (edge.source, edge.target))
        if edge.decision != "follow" or node.document is None:
            continue
        file = kb.document(node.document).file
        number = kb.section_by_id(node.section).number if node.section else None
        for place in wrong:
            within = "section" not in place and source.document == node.document
            if file == place["file"] and place.get("section") in (None, number) and not within:
                met.append(f"{edge.text!r} -> {file} {number}")
    return met


async def research(workflow: ResearchWorkflow, question: str, depth: int) -> Report:
    handler = workflow.run(start_event=ResearchRequest(query=question, depth=depth, auto_approve=True))
    ready: ReportReady = await handler
    return ready.report


def measure(kb: KnowledgeBase, gold: Sequence[dict[str, Any]], depth: int, folder: Path, *, show: bool) -> None:
    files = {document.file: document.id for document in kb.documents()}
    runs = SqliteRunStore(folder / "runs.sqlite")
    workflow = ResearchWorkflow(kb, ResearchSettings(), runs=runs)
    ours, reading, by_meaning, hybrid = Score(), Score(), Score(), Score()
    wrong = named = wanted_names = 0
    began = time.perf_counter()
    for question in gold:
        report = asyncio.run(research(workflow, question["question"], depth))
        chain = question["chain"]
        places = [locate(kb, files, place) for place in chain]
        read = kept(report)
        budget = sum(tokens(kb.text(document, start, end)) for document, start, end in read)
        ours.tokens += budget
        unreached = ours.add(chain, places, read)
        unread = reading.add(chain, places, [*read, *read_places(report, kb)])
        for score, mode in ((by_meaning, "semantic"), (hybrid, "hybrid")):
            spans, spent = flat(kb, question["question"], budget, mode)
            score.tokens += spent
            score.add(chain, places, spans)
        met = wrong_places(report, kb, question["wrong"])
        wrong += len(met)
        said = " | ".join(document.name.lower() for document in report.missing)
        unnamed = [name for name in question["missing"] if name.lower() not in said]
        wanted_names += len(question["missing"])
        named += len(question["missing"]) - len(unnamed)
        notes = [f"{'not reached' if place in unread else 'read, not kept:'} {place}" for place in unreached]
        notes += [f"WRONG {each}" for each in met]
        notes += [f"not named missing: {name}" for name in unnamed]
        print(f"{question['id']}  {len(chain) - len(unreached)}/{len(chain)}  {budget} tokens", flush=True)
        for note in notes if show else ():
            print(f"      {note}")
    depths = sorted(ours.wanted)
    print(f"\n{'chain recall at':<44}" + "".join(f"{f'depth {d}':>9}" for d in depths) + f"{'all':>9}{'tokens':>9}")
    print(reading.line(f"research to depth {depth}, places read"))
    print(ours.line(f"research to depth {depth}, kept for the report"))
    print(by_meaning.line("flat, by meaning, same embedder and tokens"))
    print(hybrid.line("flat, hybrid, same embedder and tokens"))
    goals = "".join(f"{GOALS[d]:>9.2f}" if d in GOALS else f"{'':>9}" for d in depths)
    print(f"{'goal':<44}{goals}")
    print(f"places wanted: {', '.join(f'{ours.wanted[d]} at depth {d}' for d in depths)}")
    print(f"references followed to a wrong place: {wrong} (goal 0); missing documents named: {named} of {wanted_names}")
    print(f"{len(gold)} questions in {time.perf_counter() - began:.0f} s, reasoner {report.reasoner}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--only", action="append", help="id of a question; may be repeated")
    parser.add_argument("--gold", type=Path, default=SAMPLE / "gold.json")
    parser.add_argument("--pdfs", type=Path, default=PDFS)
    parser.add_argument("--kb", type=Path, help="an existing knowledge base of these PDFs")
    parser.add_argument(
        "--embedding", action="append", help="embedding to measure with; default: the one of the settings, and hash"
    )
    parser.add_argument("--show", action="store_true", help="print what was not reached")
    options = parser.parse_args()
    os.environ.setdefault("REASONER", "extractive")
    gold = json.loads(options.gold.read_text(encoding="utf-8"))["questions"]
    chosen = [question for question in gold if not options.only or question["id"] in options.only]
    if options.kb is not None:
        with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(options.kb, KbSettings()) as kb:
            measure(kb, chosen, options.depth, Path(folder), show=options.show)
        return
    for embedding in options.embedding or (KbSettings().embedding_model, "hash"):
        print(f"\nembedding {embedding}")
        settings = KbSettings(embedding_model=embedding)
        with (
            tempfile.TemporaryDirectory() as folder,
            KnowledgeBase.open(Path(folder) / "kb", settings, create=True) as kb,
        ):
            kb.ingest([options.pdfs], "sample")
            measure(kb, chosen, options.depth, Path(folder), show=options.show)


if __name__ == "__main__":
    main()

"""Measures research with a model: wall time, calls, tokens and busy share, beside one call at a time.

Run: ``python -m bench.running.research [--cache FOLDER] [--questions N] [--follow-all] [--without-sequential]
[--timeline]``.

Needs the 27 German laws ($RABBITHOLE_BENCH_DATA). Their knowledge base is kept in the cache folder; names and texts of
its documents are in memory after the extractive run, as in a process that has answered before.

The model server runs in its own process, answers after 0.15 x (0.3 s + prompt tokens/2000 + output tokens/50) and
serves four calls at once. Its answers are made up from the prompt, so this measures the flow and says nothing about the
answers. Its gate follows a place whose heading shares a word with the question, with ``--follow-all`` every place.

Goals: three times as fast as one call at a time; a tenth of the predecessor's wall time at that latency (132, 180 and
104 s); busy 85 % from the first search to the last summary. The extractive run shows what is true of a report: verified
citations (goal 100 %), supported sentences (goal 90 %), under 20 s once the encoder is loaded, under 1.5 GB resident.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from servers.model_server import Behaviour, running
from servers.settings import settings_for

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.steps.reasoning.client.cache import AnswerCache
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.reasoning.protocol import Purpose, Reasoner
from rabbithole.steps.reasoning.recorder import Recorder
from rabbithole.steps.report_models import Report
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ResearchRequest, ResearchWorkflow, SqliteRunStore

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))
SCALE = 0.15
LATENCY = (0.3 * SCALE, 2000 / SCALE, 50 / SCALE)
SLOTS = 4
QUESTIONS = (
    "Welche Grenzwerte der effektiven Dosis gelten für beruflich exponierte Personen, und unter welchen "
    "Voraussetzungen darf davon abgewichen werden?",
    "Wann ist der Umgang mit radioaktiven Stoffen genehmigungsfrei, und wer ist für Ausnahmen zuständig?",
    "Welche Pflichten hat der Strahlenschutzbeauftragte, und wer bestellt ihn?",
)
PREDECESSOR = (132, 180, 104)


SUPPORTED = 0.5


class Run(NamedTuple):
    report: Report
    wall: float
    cpu: float
    spans: Sequence[tuple[str, float, float]] = ()
    """(purpose, start, end) of every call to the model."""


class Watched(Recorder):
    """Records when each call was open."""

    def __init__(self) -> None:
        super().__init__()
        self.spans: list[tuple[str, float, float]] = []

    def add(self, purpose: Purpose, *, calls: int = 0, seconds: float = 0.0, **counts: int) -> None:
        if calls:
            now = time.monotonic()
            self.spans.append((purpose, now - seconds, now))
        super().add(purpose, calls=calls, seconds=seconds, **counts)


def serve(pipe: Connection, discerning: bool) -> None:
    """Run the model server until the other end sends a message."""
    with running(Behaviour(latency=LATENCY, slots=SLOTS, discerning=discerning)) as server:
        pipe.send(server.url)
        pipe.recv()


async def research(kb: KnowledgeBase, question: str, concurrency: int, folder: Path, *, discerning: bool) -> Run:
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there, discerning), daemon=True)
    server.start()
    url = await asyncio.to_thread(here.recv)
    reasoner = await amake_reasoner(
        settings_for(url, llm_concurrency=concurrency, llm_idle_timeout=60, llm_total_timeout=300), kb
    )
    watched = Watched()

    def for_run(recorder: Recorder, cache: AnswerCache | None = None) -> Reasoner:
        return reasoner.for_run(watched, cache)

    runs = SqliteRunStore(folder / f"{concurrency}.sqlite")
    flow = ResearchWorkflow(
        kb,
        ResearchSettings(),
        cast(Reasoner, SimpleNamespace(availability=reasoner.availability, for_run=for_run)),
        runs,
    )
    begun, cpu = time.monotonic(), time.process_time()
    ready: Any = await flow.run(start_event=ResearchRequest(query=question, auto_approve=True))
    wall, cpu = time.monotonic() - begun, time.process_time() - cpu
    await flow.settled()
    await reasoner.close()
    runs.close()
    runs.path.unlink()
    here.send("stop")
    server.join()
    by_purpose = watched.by_purpose
    metrics = ready.report.metrics.model_copy(update={"by_purpose": by_purpose})
    return Run(ready.report.model_copy(update={"metrics": metrics}), wall, cpu, tuple(watched.spans))


async def extractive(kb: KnowledgeBase, question: str, folder: Path) -> Run:
    runs = SqliteRunStore(folder / "extractive.sqlite")
    flow = ResearchWorkflow(kb, ResearchSettings(), ExtractiveReasoner(kb.embed), runs)
    begun, cpu = time.monotonic(), time.process_time()
    ready: Any = await flow.run(start_event=ResearchRequest(query=question, auto_approve=True))
    wall, cpu = time.monotonic() - begun, time.process_time() - cpu
    await flow.settled()
    runs.close()
    runs.path.unlink()
    return Run(ready.report, wall, cpu)


def busy(run: Run) -> tuple[float, float]:
    """Return, from the first search to the last summary, the share of time with a call open and of slots in use."""
    starts = [start for purpose, start, _ in run.spans if purpose == "queries"]
    ends = [end for purpose, _, end in run.spans if purpose == "summary"]
    if not starts or not ends:
        return 0.0, 0.0
    first, last = min(starts), max(ends)
    spans = sorted((max(start, first), min(end, last)) for _, start, end in run.spans if end > first and start < last)
    covered, until = 0.0, first
    for start, end in spans:
        covered += max(0.0, end - max(start, until))
        until = max(until, end)
    return covered / (last - first), sum(end - start for start, end in spans) / (last - first) / SLOTS


def timeline(run: Run) -> list[str]:
    """Return a line for each call: when it was open, its purpose, and how many slots were free when it began."""
    begun = min((start for _, start, _ in run.spans), default=0.0)
    rows = []
    for purpose, start, end in sorted(run.spans, key=lambda one: one[1]):
        taken = sum(other <= start < until for _, other, until in run.spans)
        rows.append(f"    {start - begun:6.2f} {end - begun:6.2f}  {max(0, SLOTS - taken)} free  {purpose}")
    return rows


def line(name: str, run: Run) -> str:
    every = run.report.metrics.by_purpose.values()
    prompt, output = sum(one.prompt_tokens for one in every), sum(one.output_tokens for one in every)
    open_share, slots = busy(run)
    return (
        f"  {name:<18}{run.wall:>7.1f} s{run.cpu:>6.1f} cpu{sum(one.calls for one in every):>5} calls"
        f"{prompt:>8} in{output:>7} out{100 * open_share:>5.0f} % busy{100 * slots:>4.0f} % of slots; "
        f"followed {run.report.metrics.followed}, tasks {len(run.report.todo)}"
    )


def truth(report: Report) -> str:
    """Return a line on the report: verified citations, supported sentences, factual sentences without a source."""
    cited = len(report.citations)
    verified = sum(one.verified for one in report.citations)
    claims = report.metrics.claims
    weak = sum(1 for one in report.weak if one.support < SUPPORTED)
    supported = (claims - weak) / claims if claims else 1.0
    return (
        f"  verified citations {verified}/{cited} (goal all), supported sentences {claims - weak}/{claims} = "
        f"{100 * supported:.0f} % (goal 90 %), factual sentences without a source {report.metrics.unsourced} (marked), "
        f"missing named {len(report.missing)}, warnings {len(report.warnings)}"
    )


def laws(cache: Path | None, folder: Path) -> KnowledgeBase:
    """Return the knowledge base of the laws, built once in the cache folder."""
    place = (cache or folder) / "laws"
    kb = KnowledgeBase.open(place, KbSettings(), create=not place.is_dir())
    if not kb.documents():
        kb.ingest([DATA / "gesetze" / "pdf"], "Gesetze")
    return kb


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cache", type=Path, help="folder in which the knowledge base of the laws is kept")
    parser.add_argument("--questions", type=int, default=len(QUESTIONS))
    parser.add_argument("--follow-all", action="store_true", help="the gate follows everything")
    parser.add_argument("--without-sequential", action="store_true", help="leave out the run with one call at a time")
    parser.add_argument("--timeline", action="store_true", help="every call to the model, and the slots left free")
    options = parser.parse_args()
    discerning = not options.follow_all
    with tempfile.TemporaryDirectory() as name, laws(options.cache, Path(name)) as kb:
        kb.embed(["warm"], query=True)
        for question, before in list(zip(QUESTIONS, PREDECESSOR, strict=True))[: options.questions]:
            print(question)
            plain = asyncio.run(extractive(kb, question, Path(name)))
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(line("extractive", plain) + f" (goal < 20 s; {memory:.0f} MB peak, goal < 1536)")
            print(truth(plain.report))
            four = asyncio.run(research(kb, question, SLOTS, Path(name), discerning=discerning))
            print(line(f"model, {SLOTS} at once", four), flush=True)
            for row in timeline(four) if options.timeline else ():
                print(row)
            print(f"  predecessor {before} s, {before / four.wall:.1f} times as fast (goal 10)")
            if not options.without_sequential:
                one = asyncio.run(research(kb, question, 1, Path(name), discerning=discerning))
                print(line("model, one at once", one))
                print(f"  {one.wall / four.wall:.1f} times as fast as one call at a time (goal 3)", flush=True)


if __name__ == "__main__":
    main()

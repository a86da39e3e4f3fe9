"""A research with a model: wall time, calls, tokens, busy share, beside the same flow with one call at a time.

Run: ``python -m bench.research [--kb FOLDER] [--questions N]``. Needs the 27 German laws ($RABBITHOLE_BENCH_DATA).
The model server answers after 0.15 x (0.3 s + prompt tokens/2000 + output tokens/50) and serves four calls at once;
what it says is made up, so this measures the flow and says nothing of the answers. Goals: three times as fast as one
call at a time, and a tenth of the predecessor's wall time at that latency (132, 180 and 104 s). The extractive
research is timed too: under 20 s once the model is loaded, under 1.5 GB resident.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.steps.models import Report
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ResearchRequest, ResearchWorkflow, RunStore
from servers.model_server import Behaviour, running
from servers.settings import settings_for

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


class Run(NamedTuple):
    report: Report
    wall: float
    busiest: int


async def research(kb: KnowledgeBase, question: str, concurrency: int, folder: Path) -> Run:
    with running(Behaviour(latency=LATENCY, slots=SLOTS)) as server:
        reasoner = await amake_reasoner(
            settings_for(server.url, llm_concurrency=concurrency, llm_idle_timeout=60, llm_total_timeout=300), kb
        )
        runs = RunStore(folder / f"{concurrency}-{abs(hash(question))}.sqlite")
        flow = ResearchWorkflow(kb, ResearchSettings(), reasoner, runs)
        begun = time.monotonic()
        ready: Any = await flow.run(start_event=ResearchRequest(query=question, auto_approve=True))
        wall = time.monotonic() - begun
        await flow.settled()
        await reasoner.close()
        runs.close()
        return Run(ready.report, wall, server.most_busy)


async def extractive(kb: KnowledgeBase, question: str, folder: Path) -> Run:
    flow = ResearchWorkflow(kb, ResearchSettings(), ExtractiveReasoner(kb.embed), RunStore(folder / "e.sqlite"))
    begun = time.monotonic()
    ready: Any = await flow.run(start_event=ResearchRequest(query=question, auto_approve=True))
    return Run(ready.report, time.monotonic() - begun, 0)


def line(name: str, run: Run) -> str:
    every = run.report.metrics.by_purpose.values()
    calls, cached = sum(one.calls for one in every), sum(one.cached for one in every)
    prompt, output = sum(one.prompt_tokens for one in every), sum(one.output_tokens for one in every)
    busy = run.report.metrics.model_seconds / run.wall if run.wall else 0.0
    verified = sum(one.verified for one in run.report.citations)
    cited = len(run.report.citations)
    return (
        f"  {name:<22}{run.wall:>8.1f} s {calls:>5} calls {cached:>4} cached {prompt:>8} in {output:>7} out "
        f"{100 * busy:>4.0f} % busy, most at once {run.busiest}; citations verified {verified}/{cited}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kb", type=Path, help="an existing knowledge base of the laws")
    parser.add_argument("--questions", type=int, default=len(QUESTIONS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with KnowledgeBase.open(options.kb or folder / "database", KbSettings(), create=options.kb is None) as kb:
            if options.kb is None:
                kb.ingest([DATA / "gesetze" / "pdf"], "Gesetze")
            kb.embed(["warm"], query=True)
            for question, before in list(zip(QUESTIONS, PREDECESSOR, strict=True))[: options.questions]:
                print(question)
                plain = asyncio.run(extractive(kb, question, folder))
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(line("extractive", plain) + f" (goal < 20 s; {memory:.0f} MB peak, goal < 1536)")
                four = asyncio.run(research(kb, question, SLOTS, folder))
                one = asyncio.run(research(kb, question, 1, folder))
                print(line(f"model, {SLOTS} at once", four))
                print(line("model, one at a time", one))
                gain, than = one.wall / four.wall, before / four.wall
                print(f"  {gain:.1f} times as fast (goal 3); predecessor {before} s, {than:.1f} times (goal 10)")


if __name__ == "__main__":
    main()

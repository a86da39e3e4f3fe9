"""Measures what reasoning with a model costs, and whether the model stays busy: three questions on German laws.

Run: ``python -m bench.running.reasoning [--kb FOLDER] [--only N] [--follow-all] [--extractive]``.

A server of fixed latency answers by rule, so that calls and tokens depend only on the product and are the same on every
machine. Its gate follows a reference if the target shares a long word with the question, or with ``--follow-all`` every
reference. The predecessor's figures are printed beside it: also on German laws, six tasks each, one call at a time.

The knowledge base of ``RABBITHOLE_BENCH_DATA`` (default ``../shared/data``) is built on first use and kept in the
temporary folder. It holds the twelve laws the predecessor was measured on, or those named with ``--laws``.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from servers.model_server import Behaviour, ModelServer, running

from rabbithole.kb import KnowledgeBase
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.recorder import Recorder
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ReportReady, ResearchRequest, ResearchWorkflow, SqliteRunStore

QUESTIONS = (
    "Welche Grenzwerte der effektiven Dosis gelten für beruflich exponierte Personen, und unter welchen "
    "Voraussetzungen darf davon abgewichen werden?",
    "Unter welchen Voraussetzungen dürfen radioaktive Stoffe freigegeben werden, und wer entscheidet darüber?",
    "Welche Pflichten hat der Strahlenschutzverantwortliche, und wie unterscheiden sie sich von denen des "
    "Strahlenschutzbeauftragten?",
)
PREDECESSOR = ((107, 133_000, 30_000), (143, 176_000, 42_000), (90, 113_000, 27_000))
# Twelve laws with 482 pages and 898 sections; the predecessor's twelve had 489 pages and 900 sections.
LAWS = (
    "strlschg",
    "strlschv_2018",
    "atg",
    "atev",
    "atsmv",
    "atvfv",
    "atz_v",
    "atdeckv_1977",
    "endlagervlv",
    "standag_2017",
    "krwg",
    "uvpg",
)
TASKS = 6  # of the predecessor: the question and five planned ones
GOAL_SHARE, GOAL_BUSY = 1 / 3, 0.85
SLOTS = 4
CHARACTERS_PER_TOKEN = 4  # the predecessor's tokens were counted in this way
BASE_SECONDS, PROMPT_SPEED, OUTPUT_SPEED, FACTOR = 0.3, 2000, 50, 0.15  # the latency the predecessor was measured with


# The beginnings of the prompts of this phase.
DIGGING = ("Write two search queries", "Take from each passage", "Decide for each reference", "Summarise what one task")


@dataclass
class Cost:
    calls: int
    prompt: int
    output: int
    wall: float
    busy: float
    valid: float
    dropped: int
    by_purpose: dict[str, tuple[int, int, int]]
    followed: int
    tasks: int
    cited: int


def build(folder: Path, laws: Sequence[str]) -> None:
    """Ingest the laws once; an existing knowledge base is used as it is."""
    data = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data")) / "gesetze" / "pdf"
    with KnowledgeBase.open(folder, create=True) as kb:
        if not kb.documents():
            kb.ingest([data / f"{law}.pdf" for law in laws], "Gesetze")


async def research(folder: Path, server: ModelServer, question: str, *, extractive: bool) -> Cost:
    settings = ReasonerSettings(
        _env_file=None,
        reasoner="extractive" if extractive else "ollama",
        ollama_base_url=server.url,
        llm_concurrency=SLOTS,
    )
    with KnowledgeBase.open(folder) as kb, tempfile.TemporaryDirectory() as runs_folder:
        reasoner = make_reasoner(settings, kb)
        recorder = Recorder()
        runs = SqliteRunStore(Path(runs_folder) / "runs.sqlite")
        server.calls.clear()
        started = time.monotonic()
        # The predecessor ran in the same way: the question and five planned tasks, depth 2, none added from gaps.
        depth = ResearchSettings(_env_file=None, initial_todo_items=TASKS - 1, todo_max_items=TASKS, max_iterations=1)
        handler = ResearchWorkflow(kb, depth, reasoner.for_run(recorder), runs).run(
            start_event=ResearchRequest(query=question, auto_approve=True)
        )
        ready: ReportReady = await handler
        report = ready.report
        wall = time.monotonic() - started
        runs.close()
        await reasoner.close()
    chats = [call for call in server.calls if call.ended]
    purposes = {
        name: (one.calls, one.prompt_tokens, one.output_tokens) for name, one in report.metrics.by_purpose.items()
    }
    return Cost(
        calls=sum(one[0] for one in purposes.values()),
        prompt=sum(one[1] for one in purposes.values()),
        output=sum(one[2] for one in purposes.values()),
        wall=wall,
        busy=busy_share([(call.started, call.ended) for call in chats if _digs(call.body)]),
        valid=1.0 - sum(one.failed for one in report.metrics.by_purpose.values()) / max(1, len(chats)),
        dropped=report.metrics.dropped,
        by_purpose=purposes,
        followed=report.metrics.followed,
        tasks=len(report.todo),
        cited=len(report.citations),
    )


def _digs(body: Mapping[str, Any]) -> bool:
    """Return whether a call belongs to the time from a task's first search to the last summary."""
    prompt = body["messages"][-1]["content"] if body.get("messages") else ""
    return any(prompt.startswith(f"### Task\n{words}") for words in DIGGING)


def busy_share(spans: Sequence[tuple[float, float]]) -> float:
    """Return the share of the time, from the first call's start to the last one's end, with at least one call open."""
    if not spans:
        return 0.0
    ordered = sorted(spans)
    covered, end = 0.0, ordered[0][0]
    for start, stop in ordered:
        covered += max(0.0, stop - max(start, end))
        end = max(end, stop)
    return covered / max(end - ordered[0][0], 1e-9)


def show(number: int, cost: Cost) -> None:
    calls, prompt, output = PREDECESSOR[number]
    print(f"\n{number + 1}. {QUESTIONS[number]}")
    print(f"   {'purpose':<14}{'calls':>7}{'prompt':>10}{'output':>9}")
    for name, (count, read, wrote) in sorted(cost.by_purpose.items(), key=lambda item: -item[1][1]):
        print(f"   {name:<14}{count:>7}{read:>10,}{wrote:>9,}")
    print(f"   {'all':<14}{cost.calls:>7}{cost.prompt:>10,}{cost.output:>9,}")
    print(f"   {'predecessor':<14}{calls:>7}{prompt:>10,}{output:>9,}")
    goal = "goal <= 0.33"
    print(
        f"   {'share':<14}{cost.calls / calls:>7.2f}{cost.prompt / prompt:>10.2f}{cost.output / output:>9.2f}  {goal}"
    )
    print(
        f"   wall {cost.wall:.1f} s, model busy {cost.busy:.0%} while digging (goal >= 85 %), answers usable "
        f"{cost.valid:.0%}, tasks {cost.tasks}, "
        f"material dropped {cost.dropped}, references followed {cost.followed}, citations {cost.cited}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, default=Path(tempfile.gettempdir()) / "rabbithole-bench-reasoning")
    parser.add_argument("--laws", nargs="*", default=list(LAWS))
    parser.add_argument("--only", type=int, choices=(1, 2, 3))
    parser.add_argument(
        "--follow-all", action="store_true", help="the gate follows everything, as the predecessor's did"
    )
    parser.add_argument("--extractive", action="store_true", help="without a model: wall time only")
    chosen = parser.parse_args()
    build(chosen.kb, chosen.laws)
    numbers = [chosen.only - 1] if chosen.only else range(len(QUESTIONS))
    latency = (BASE_SECONDS * FACTOR, PROMPT_SPEED / FACTOR, OUTPUT_SPEED / FACTOR)
    counted: dict[str, Any] = {"slots": SLOTS, "latency": latency, "characters_per_token": CHARACTERS_PER_TOKEN}
    for number in numbers:
        with running(Behaviour(**counted, discerning=not chosen.follow_all)) as server:
            show(number, asyncio.run(research(chosen.kb, server, QUESTIONS[number], extractive=chosen.extractive)))


if __name__ == "__main__":
    main()

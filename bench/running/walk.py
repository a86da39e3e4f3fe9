"""Counts the modules of the package that are entered while references of one task and one wave are followed.

Run: ``python -m bench.running.walk``. Runs research on one question of the sample without a model, and counts from the
first FollowRefEvent until its wave is done and the next one is planned. Goal: at most 30 modules.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.sample.build import build
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ReportReady, ResearchRequest, ResearchWorkflow, RunStore, SqliteRunStore

PACKAGE = Path(__file__).resolve().parents[2] / "rabbithole"
FLOW = str(PACKAGE / "workflow" / "digging.py")
QUESTION = "Wie hoch darf die effektive Dosis von Personen sein, die in einem Isotopenlaboratorium beschäftigt sind?"
GOAL = 30


class Walk:
    """Modules entered between the first ``follow`` of the flow and the next ``plan_wave`` or ``summarise``."""

    def __init__(self) -> None:
        self.modules: dict[str, int] = {}
        self._open: bool | None = None

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(str(PACKAGE)):
            return
        if code.co_filename == FLOW and code.co_name == "follow" and self._open is None:
            self._open = True
        elif code.co_filename == FLOW and code.co_name in ("plan_wave", "summarise") and self._open:
            self._open = False
        if self._open:
            name = str(Path(code.co_filename).relative_to(PACKAGE))
            self.modules[name] = self.modules.get(name, 0) + 1


async def research(kb: KnowledgeBase, runs: RunStore, walk: Walk) -> int:
    settings = ResearchSettings(todo_max_items=1, initial_todo_items=1, max_iterations=1, reference_follow_depth=1)
    flow = ResearchWorkflow(kb, settings, ExtractiveReasoner(), runs)
    threading.setprofile(walk)
    sys.setprofile(walk)
    ready: ReportReady = await flow.run(start_event=ResearchRequest(query=QUESTION, auto_approve=True))
    sys.setprofile(None)
    threading.setprofile(None)
    await flow.settled()
    return ready.report.metrics.followed


def main() -> None:
    walk = Walk()
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "pdf")
        with KnowledgeBase.open(Path(folder) / "database", KbSettings(embedding_model="hash"), create=True) as kb:
            kb.ingest([Path(folder) / "pdf"], "sample")
            followed = asyncio.run(research(kb, SqliteRunStore(Path(folder) / "runs.sqlite"), walk))
    for name, calls in sorted(walk.modules.items()):
        print(f"{calls:>7}  {name}")
    print(f"{followed} references followed, {len(walk.modules)} modules entered (goal {GOAL})")


if __name__ == "__main__":
    main()

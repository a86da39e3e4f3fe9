"""Research a batch of questions on one knowledge base, two at a time, with one JSON report per question.

Run: ``python examples/batch.py QUESTIONS.txt FOLDER``, with one question per line; RABBITHOLE_KB names the knowledge
base. Questions whose report is in the folder already are skipped, so a batch that was stopped can be continued.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import RabbitholeError
from rabbithole.workflow import ResearchRequest, ResearchWorkflow

AT_ONCE = 2


async def research_all(kb: KnowledgeBase, questions: Sequence[str], out: Path) -> None:
    workflow, slots = ResearchWorkflow(kb), asyncio.Semaphore(AT_ONCE)

    async def one(number: int, question: str) -> None:
        path = out / f"{number:03d}.json"
        if path.exists():
            return
        async with slots:
            try:
                report = (await workflow.run(start_event=ResearchRequest(query=question, auto_approve=True))).report
            except RabbitholeError as error:
                print(f"{number:03d} failed: {error}")
                return
        path.write_text(report.model_dump_json(indent=1), encoding="utf-8")
        print(f"{number:03d} {len(report.citations)} citations: {question}")

    await asyncio.gather(*(one(number, question) for number, question in enumerate(questions, start=1)))
    await workflow.settled()


def main() -> None:
    questions = [line.strip() for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines() if line.strip()]
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    with KnowledgeBase.open(os.environ.get("RABBITHOLE_KB")) as kb:
        asyncio.run(research_all(kb, questions, out))


if __name__ == "__main__":
    main()

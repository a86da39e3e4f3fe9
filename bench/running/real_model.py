"""Runs every prompt on a real, small local model: ten judged cases each, valid answers, tokens per second.

Run: ``python -m bench.running.real_model [--model FILE.gguf] [--python PYTHON] [--only PURPOSE ...] [--show]``.

Prints for each prompt how many answers were valid as sent and after repair, and how many of the ten cases were answered
rightly (rules: ``bench/answering/judging.py``) by the model and, beside it, by the extractive reasoner. Without
``--model`` the weights are assembled from packages; ``--python`` is a Python that has ``xllamacpp``.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from servers.local_model import assemble, serving, settings

from bench.answering.judging import PROMPTS
from bench.answering.situations import Case, load
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.reasoning.recorder import Recorder

HEAD = (
    f"{'prompt':<14}{'answers':>8}{'as sent':>9}{'repaired':>9}{'right':>7}{'no model':>9}"
    f"{'in':>6}{'out':>6}{'seconds':>9}{'tok/s':>7}"
)


async def judged(reasoner: Reasoner, name: str, cases: Sequence[Case], *, show: bool) -> tuple[int, list[Recorder]]:
    """Return how many cases were answered rightly, and the cost of each."""
    ask, right = PROMPTS[name]
    recorders: list[Recorder] = []
    good = 0
    for case in cases:
        recorder = Recorder()
        answer = await ask(reasoner.for_run(recorder), case)
        fine = not recorder.notes and right(case, answer)
        good += fine
        recorders.append(recorder)
        if show:
            print(f"    {'right' if fine else 'WRONG'} {case.id}: {str(answer)[:600]!r}", *recorder.notes, flush=True)
    return good, recorders


async def measure(address: str, only: Sequence[str], *, cases: Sequence[Case], show: bool) -> None:
    model = await amake_reasoner(settings(address))
    plain = ExtractiveReasoner()
    print(HEAD, flush=True)
    for name in only or list(PROMPTS):
        good, recorders = await judged(model, name, cases, show=show)
        without, _ = await judged(plain, name, cases, show=False)
        costs = [cost for recorder in recorders for cost in recorder.by_purpose.values()]
        asked = sum(recorder.structured for recorder in recorders) or len(cases)
        failed, repaired = sum(cost.failed for cost in costs), sum(cost.repaired for cost in costs)
        seconds = sum(cost.seconds for cost in costs)
        output = sum(cost.output_tokens for cost in costs)
        print(
            f"{name:<14}{asked:>8}{asked - failed - repaired:>9}{asked - failed:>9}{good:>4}/{len(cases):<2}"
            f"{without:>6}/{len(cases):<2}{sum(cost.prompt_tokens for cost in costs) // len(cases):>6}"
            f"{output // len(cases):>6}{seconds:>9.0f}{output / max(seconds, 1e-6):>7.1f}",
            flush=True,
        )
    await model.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", nargs="*", default=[], choices=list(PROMPTS))
    parser.add_argument("--cases", type=int, default=10, help="situations per prompt, from the beginning and the end")
    parser.add_argument("--show", action="store_true", help="print every answer")
    chosen = parser.parse_args()
    model = chosen.model or assemble(Path(tempfile.gettempdir()) / "rabbithole-real-model" / "model.gguf")
    every = load()
    cases = [*every[: (chosen.cases + 1) // 2], *every[len(every) - chosen.cases // 2 :]]
    with serving(model, chosen.python) as address:
        asyncio.run(measure(address, chosen.only, cases=cases, show=chosen.show))


if __name__ == "__main__":
    main()

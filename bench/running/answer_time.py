"""Measures how long the commands `research` and `ask` take on 27 German laws, including startup.

Run: ``RABBITHOLE_BENCH_DATA=... python -m bench.running.answer_time [--kb DIR] [--runs 3]``.

Without ``--kb`` the laws are ingested first (some minutes). Goal: less than 10 s for `research`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from pathlib import Path

from bench import figures
from bench.running.startup import ENVIRONMENT, RABBITHOLE, once
from rabbithole.kb import KbSettings, KnowledgeBase

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", Path(__file__).parents[3] / "shared" / "data"))
LAWS = 27
GOAL = 10.0
QUESTIONS = (
    "Wie lange müssen Aufzeichnungen über die Exposition aufbewahrt werden?",
    "Wer bestellt den Immissionsschutzbeauftragten, und welche Aufgaben hat er?",
    "Darf der Versicherer bei verspäteter Anzeige die Leistung kürzen?",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=Path, help="a knowledge base of the laws")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        ENVIRONMENT["RUNS_PATH"] = str(Path(temporary) / "runs.sqlite")
        folder = options.kb or Path(temporary) / "kb"
        if options.kb is None:
            files = sorted((DATA / "gesetze" / "pdf").glob("*.pdf"))[:LAWS]
            with KnowledgeBase.open(folder, KbSettings(_env_file=None), create=True) as kb:
                report = kb.ingest(files, "laws")
            print(f"{len(report.added)} laws, {report.pages} pages, ingested in {report.seconds:.0f} s")
        slowest = 0.0
        for question in QUESTIONS:
            for verb in ("research", "ask"):
                command = [RABBITHOLE, verb, question, "--kb", str(folder)]
                if verb == "research":
                    command += ["--no-input", "--out", str(Path(temporary) / "report.md")]
                measured = [once(command) for _ in range(options.runs)]
                seconds = statistics.median(each[0] for each in measured)
                memory = max(each[1] for each in measured)
                goal = f"   goal {GOAL:g}" if verb == "research" else ""
                print(f"{verb:<9} {seconds:6.2f} s  {memory:5.0f} MB{goal}   {question}")
                slowest = max(slowest, seconds if verb == "research" else 0.0)
        figures.at_most("a research on 27 laws, the slowest of three questions", slowest, GOAL, " s")
    return int(slowest > GOAL)


if __name__ == "__main__":
    raise SystemExit(main())

"""Measures how long a person waits: cold starts of the command line, and the memory of a research run.

Run: ``python -m bench.running.startup [--runs 5] [--kb DIR] [--question TEXT]``. Without ``--kb`` the sample is
ingested first.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from rabbithole.kb.sample.build import sample_folder

SAMPLE = Path(__file__).resolve().parents[2] / "kb" / "sample"
PDFS = sample_folder() / "pdf"
RABBITHOLE = str(Path(sys.executable).parent / "rabbithole")
QUESTION = "Wie hoch darf die effektive Dosis beschäftigter Personen sein, und wann ist mehr erlaubt?"
ENVIRONMENT = {**os.environ, "REASONER": "extractive"}
POLL_SECONDS = 0.05


def once(command: Sequence[str]) -> tuple[float, float]:
    """Return wall-clock seconds and peak resident memory in MB of a process with its children."""
    began = time.perf_counter()
    process = psutil.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak = 0.0
    while process.poll() is None:
        try:
            peak = max(peak, sum(each.memory_info().rss for each in (process, *process.children(recursive=True))))
        except psutil.NoSuchProcess:
            break
        time.sleep(POLL_SECONDS)
    said = process.stderr.read().decode() if process.stderr else ""
    if process.wait():
        raise SystemExit(f"{' '.join(command)} failed: {said}")
    return time.perf_counter() - began, peak / 1e6


def line(name: str, goal: str, command: Sequence[str], runs: int) -> None:
    measured = [once(command) for _ in range(runs)]
    seconds = [each[0] for each in measured]
    memory = max(each[1] for each in measured)
    print(f"{name:<44} {statistics.median(seconds):6.2f} s (best {min(seconds):.2f})  {memory:6.0f} MB   goal {goal}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--kb", type=Path)
    parser.add_argument("--question", default=QUESTION)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kb = str(options.kb or Path(folder) / "kb")
        os.environ["RUNS_PATH"] = ENVIRONMENT["RUNS_PATH"] = str(Path(folder) / "runs.sqlite")
        if options.kb is None:
            once([RABBITHOLE, "ingest", str(PDFS), "-c", "sample", "--kb", kb])
        search = [RABBITHOLE, "search", "Dosis", "--kb", kb, "--mode"]
        research = [RABBITHOLE, "research", options.question, "--no-input", "--json", "--kb", kb]
        print(f"median of {options.runs} cold starts, peak resident memory of the process tree")
        line("python -c pass", "-", [sys.executable, "-c", "pass"], options.runs)
        line("rabbithole --help", "< 0.5 s", [RABBITHOLE, "--help"], options.runs)
        line("rabbithole search --mode keyword", "< 1.5 s", [*search, "keyword"], options.runs)
        line("rabbithole search --mode hybrid", "-", [*search, "hybrid"], options.runs)
        line("rabbithole research, extractive", "< 20 s, < 1500 MB", research, 1)


if __name__ == "__main__":
    main()

"""Runs all benchmarks of the knowledge base and writes a report of them.

Run: ``python -m bench.retrieval.kb [--chunks 200000] [--keep FOLDER] [--index NAME]... [--report FILE] [--only
NAME]...``.

Runs the benchmarks of structure, embeddings, fusion, ingestion and search one after the other, each in its own process,
shows what they print, and writes a report in Markdown: every figure beside its goal, what became of each good and each
bad PDF, and the whole output. A missed goal does not stop the run; a benchmark that breaks is marked in the report and
in the exit code.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.figures import VARIABLE, Figure, Outcome, gathered

FOLDERS = {"pdfs": "Good PDFs", "nasty_pdfs": "Bad PDFs"}


class Run:
    """One benchmark run: its command, output, exit code and seconds."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        began = time.monotonic()
        self.title = " ".join(("python", "-m", *command))
        print(f"\n== {self.title}", flush=True)
        lines: list[str] = []
        with subprocess.Popen(
            [sys.executable, "-m", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            text=True,
            encoding="utf-8",
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                print(line, end="", flush=True)
                lines.append(line)
        self.code = process.returncode
        self.printed = "".join(lines)
        self.seconds = time.monotonic() - began

    @property
    def broke(self) -> bool:
        """Whether the benchmark broke; one that only misses a goal exits with 1 and without a traceback."""
        return self.code not in (0, 1) or "Traceback (most recent call last)" in self.printed


def commands(options: argparse.Namespace) -> dict[str, list[str]]:
    """Return the commands of the benchmarks by name."""
    keep = ["--keep", str(options.keep)] if options.keep else []
    return {
        "structure": ["bench.documents.structure", "--pdfs"],
        "embeddings": ["bench.retrieval.embeddings", "--limit", "200"],
        "fusion": ["bench.retrieval.fusion"],
        "cost": ["bench.retrieval.fusion", "--cost", "50000"],
        "ingest": ["bench.documents.ingest"],
        "search": [
            "bench.retrieval.search",
            "--chunks",
            str(options.chunks),
            *keep,
            *(part for name in options.index or () for part in ("--index", name)),
        ],
    }


def table(rows: Sequence[Sequence[str]], head: Sequence[str]) -> list[str]:
    """Return the lines of a Markdown table."""
    cells = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in cells]


def written(figures: Sequence[Figure], outcomes: Sequence[Outcome], runs: Sequence[Run], chunks: int) -> str:
    """Return the report."""
    verdict = {True: "met", False: "**missed**", None: ""}
    missed = sum(figure.met is False for figure in figures)
    with_goal = sum(figure.met is not None for figure in figures)
    lines = [
        "# Figures of the knowledge base",
        "",
        f"{time.strftime('%Y-%m-%d %H:%M')}, {os.cpu_count()} cores ({platform.machine()}, {platform.system()}), "
        f"Python {platform.python_version()}; search among {chunks:,} chunks. "
        f"{with_goal - missed} of {with_goal} goals met.",
        "",
        *table([(f.name, f.measured, f.goal, verdict[f.met]) for f in figures], ("figure", "measured", "goal", "")),
    ]
    for folder, title in FOLDERS.items():
        files = [each for each in outcomes if each.folder == folder]
        taken = sum(each.taken for each in files)
        lines += ["", f"## {title}", "", f"{len(files)} files: {taken} taken, {len(files) - taken} left out.", ""]
        rows = [
            (each.file, each.defect, f"{each.seconds:.1f}", "taken" if each.taken else "left out", each.said)
            for each in files
        ]
        known = "known defect" if folder == "nasty_pdfs" else "what it is"
        lines += table(rows, ("file", known, "seconds", "outcome", "what was read or said"))
    for run in runs:
        broke = ", **broke**" if run.broke else ""
        lines += ["", f"## `{run.title}` ({run.seconds:.0f} s{broke})", "", "```", run.printed.rstrip(), "```"]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=200_000)
    parser.add_argument("--keep", type=Path, help="build the chunks here, or use what was built here before")
    parser.add_argument("--index", action="append", help="what holds the vectors, exact or chroma; may be given twice")
    parser.add_argument("--report", type=Path, default=Path("build/bench-kb.md"))
    parser.add_argument("--only", action="append", default=[], help="run only this one (may be given again)")
    options = parser.parse_args()
    chosen = commands(options)
    for name in options.only:
        if name not in chosen:
            parser.error(f"there is no {name!r}; there are {', '.join(chosen)}")
    options.report.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rabbithole-bench-") as temporary:
        kept = Path(temporary) / "figures.jsonl"
        environment = os.environ | {VARIABLE: str(kept), "PYTHONUNBUFFERED": "1"}
        runs: list[Run] = []
        for name, command in chosen.items():
            if options.only and name not in options.only:
                continue
            runs.append(Run(command, environment))
            figures, outcomes = gathered(kept)
            options.report.write_text(written(figures, outcomes, runs, options.chunks), encoding="utf-8")
    print()
    for figure in figures:
        said = {True: "met", False: "MISSED", None: ""}[figure.met]
        print(f"{figure.name:58} {figure.measured:>16}  {figure.goal:18} {said}")
    print(f"\nThe report is {options.report}, with {len(outcomes)} PDFs and what became of them.")
    return 1 if any(run.broke for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())

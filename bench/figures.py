"""Collects figures with their goals, and the outcome of files, for a report.

If the environment variable ``RABBITHOLE_BENCH_FIGURES`` names a file, each is appended to it as a JSON line;
``bench.retrieval.kb`` makes the tables of its report from them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

VARIABLE = "RABBITHOLE_BENCH_FIGURES"


class Figure(NamedTuple):
    """A measured value with its goal in words; ``met`` is None if there is no goal."""

    name: str
    measured: str
    goal: str
    met: bool | None


class Outcome(NamedTuple):
    """What became of one file. ``defect``: its known defect."""

    folder: str
    file: str
    defect: str
    seconds: float
    taken: bool
    said: str


def note(name: str, measured: str, goal: str = "", met: bool | None = None) -> None:
    """Store a figure for the report; the caller prints it."""
    _keep("figure", Figure(name, measured, goal, met))


def at_most(name: str, value: float, goal: float, unit: str = "") -> None:
    note(name, f"{value:.4g}{unit}", f"at most {goal:g}{unit}", value <= goal)


def at_least(name: str, value: float, goal: float, unit: str = "") -> None:
    note(name, f"{value:.4g}{unit}", f"at least {goal:g}{unit}", value >= goal)


def outcome(found: Outcome) -> None:
    """Store the outcome of a file for the report."""
    _keep("file", found)


def gathered(path: Path) -> tuple[list[Figure], list[Outcome]]:
    """Return the figures and outcomes stored in a file, in order."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return (
        [Figure(*row["figure"]) for row in rows if "figure" in row],
        [Outcome(*row["file"]) for row in rows if "file" in row],
    )


def report(figures: Sequence[tuple[str, str, str]]) -> None:
    """Print name, figure and goal, one line each."""
    for name, figure, goal in figures:
        print(f"  {name:<62} {figure:>22}   goal {goal}")


def share(part: int, whole: int) -> str:
    return f"{part / whole:.4f} ({part}/{whole})" if whole else "none"


def _keep(kind: str, record: Figure | Outcome) -> None:
    if path := os.environ.get(VARIABLE):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps({kind: record}, ensure_ascii=False) + "\n")

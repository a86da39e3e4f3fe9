"""Figures beside their goals: printed where they are measured, and gathered for a report.

Where the environment variable ``RABBITHOLE_BENCH_FIGURES`` names a file, each figure is added to it as a line of JSON;
``bench.kb`` makes the table of its report of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

VARIABLE = "RABBITHOLE_BENCH_FIGURES"
Side = Literal["least", "most"]


class Figure(NamedTuple):
    """What was measured, beside its goal in words; ``met`` is None where there is no goal."""

    name: str
    measured: str
    goal: str
    met: bool | None


def note(name: str, measured: str, goal: str = "", met: bool | None = None) -> None:
    """Keep a figure for the report; whoever measured it prints it."""
    if path := os.environ.get(VARIABLE):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(Figure(name, measured, goal, met)) + "\n")


def at_most(name: str, value: float, goal: float, unit: str = "") -> None:
    note(name, f"{value:.4g}{unit}", f"at most {goal:g}{unit}", value <= goal)


def at_least(name: str, value: float, goal: float, unit: str = "") -> None:
    note(name, f"{value:.4g}{unit}", f"at least {goal:g}{unit}", value >= goal)


def gathered(path: Path) -> list[Figure]:
    """What was noted in a file, in its order."""
    return [Figure(*json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def report(figures: Sequence[tuple[str, str, str]]) -> None:
    """Name, figure and goal, a line each."""
    for name, figure, goal in figures:
        print(f"  {name:<62} {figure:>22}   goal {goal}")


def share(part: int, whole: int) -> str:
    return f"{part / whole:.4f} ({part}/{whole})" if whole else "none"

"""The browser tests many times, on a machine that is idle or loaded and processors that are fast or slow.

Prints one line a run while it goes on, and a table at the end; exits with 1 when a test failed. Stopped by SIGINT or
SIGTERM it lets the run in progress close its browsers and servers.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import signal
import statistics
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
BUSY = "while True: pass"


@dataclass(frozen=True)
class Cell:
    """One kind of machine: ``busy`` loops beside the tests, Chromium ``slower`` times slower than it is."""

    busy: int
    slower: float

    def __str__(self) -> str:
        return f"{self.busy} busy loops, processor {self.slower:g}x slower"


@dataclass(frozen=True)
class Run:
    """What one run of the tests came to."""

    cell: Cell
    seconds: float
    tests: int
    failed: tuple[str, ...]
    load: float  # processes that ran or waited for a processor, mean of the last minute


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    started = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in started:
            one.kill()
            one.wait()


def read(report: Path) -> tuple[int, tuple[str, ...]]:
    """How many tests ran, and which of them failed, from a JUnit report; one that is missing is a failure too."""
    if not report.exists():
        return 0, ("no report: pytest itself failed",)
    cases = list(ElementTree.parse(report).iter("testcase"))
    failed = [case.get("name", "?") for case in cases if {"failure", "error"} & {part.tag for part in case}]
    skipped = sum(case.find("skipped") is not None for case in cases)
    return len(cases) - skipped, tuple(failed)


def finish(process: subprocess.Popen[bytes]) -> int:
    """The exit status of pytest, which is told to end when this process is."""
    try:
        return process.wait()
    except BaseException:
        process.send_signal(signal.SIGINT)
        process.wait()
        raise


def run(cell: Cell, folder: Path, arguments: Sequence[str]) -> Run:
    folder.mkdir(parents=True, exist_ok=True)
    report, log = folder / "report.xml", folder / "log.txt"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", str(HERE), f"--junitxml={report}", *arguments]
    began = time.monotonic()
    with busy(cell.busy), log.open("w") as written:
        environment = {**os.environ, "RABBITHOLE_SLOWER": str(cell.slower)}
        code = finish(subprocess.Popen(command, env=environment, stdout=written, stderr=subprocess.STDOUT))
    tests, failed = read(report)
    if code and not failed:
        failed = (f"pytest ended with {code}",)
    return Run(cell, time.monotonic() - began, tests, failed, os.getloadavg()[0])


def table(runs: Sequence[Run]) -> str:
    """One row for each kind of machine, and the tests that failed with how often they did."""
    lines = [
        "| busy loops | processor | runs | tests | failures | median s | longest s |",
        "|---|---|---|---|---|---|---|",
    ]
    for cell in dict.fromkeys(one.cell for one in runs):
        here = [one for one in runs if one.cell == cell]
        seconds = [one.seconds for one in here]
        counts = f"{len(here)} | {sum(one.tests for one in here)} | {sum(len(one.failed) for one in here)}"
        times = f"{statistics.median(seconds):.0f} | {max(seconds):.0f}"
        lines.append(f"| {cell.busy} | {cell.slower:g}x slower | {counts} | {times} |")
    failed = Counter(name for one in runs for name in one.failed)
    return "\n".join([*lines, "", *(f"{name}: {count}" for name, count in failed.most_common())])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=30, help="runs in all, shared out evenly (default: 30)")
    parser.add_argument("--busy", type=int, nargs="+", default=[0, 2], help="busy loops beside them (default: 0 2)")
    parser.add_argument("--slower", type=float, nargs="+", default=[1, 4], help="Chromium slower by (default: 1 4)")
    parser.add_argument("--logs", type=Path, default=Path("build/browser-often"), help="a folder for each run's log")
    parser.add_argument("pytest", nargs="*", help="arguments for pytest, after --")
    chosen = parser.parse_args()
    if chosen.times < 1:
        parser.error("--times: at least one run")
    cells = itertools.cycle(Cell(loops, slower) for loops in chosen.busy for slower in chosen.slower)
    runs: list[Run] = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for number, cell in zip(range(1, chosen.times + 1), cells, strict=False):
        done = run(cell, chosen.logs / f"{number:02}", chosen.pytest)
        runs.append(done)
        outcome = ", ".join(done.failed) or "passed"
        took = f"{done.tests} tests, {done.seconds:.0f} s, load {done.load:.1f}"
        print(f"{number}/{chosen.times}: {cell}: {took}: {outcome}", flush=True)
    print(f"\n{table(runs)}")
    return int(any(one.failed for one in runs))


if __name__ == "__main__":
    sys.exit(main())

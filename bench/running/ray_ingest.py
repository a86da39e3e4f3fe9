"""Measures the ingestion of 100 small PDFs without Ray and with one and two Ray workers of one processor each.

Run as root: ``unshare --net --pid --fork --kill-child --mount-proc python -m bench.running.ray_ingest``. Ray listens on
every network there is, so it gets a network namespace that has loopback alone. The documents are made here.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from cluster.directives import write_directives
from cluster.nodes import ADDRESS, only_loopback, ray_nodes

from rabbithole.kb import KbSettings, KnowledgeBase

COMMAND = (sys.executable, "-c", "from rabbithole.workflow.cli import main; main()")
COLLECTION = "Directives"


def measure(documents: Path, folder: Path, workers: int) -> tuple[float, int, int]:
    """Return the seconds of one ingestion, from the command's start to its end, and the documents and chunks stored."""
    arguments = ["ingest", str(documents), "-c", COLLECTION, "--kb", str(folder)]
    with ExitStack() as opened:
        if workers:
            opened.enter_context(ray_nodes(workers))
            arguments += ["--ray", ADDRESS]
        began = time.monotonic()
        subprocess.run([*COMMAND, *arguments], check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - began
    with KnowledgeBase.open(folder, KbSettings()) as kb:
        held = kb.documents(COLLECTION)
        return seconds, len(held), sum(len(kb.chunks(one.id)) for one in held)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--workers", type=int, nargs="+", default=(0, 1, 2), help="0 is without Ray")
    chosen = parser.parse_args(arguments)
    if not only_loopback():
        parser.error(
            "this machine's networks can be reached from here: start it with `unshare --net`, as its head says."
        )
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        documents = write_directives(folder / "documents", chosen.documents)
        for workers in chosen.workers:
            seconds, held, chunks = measure(documents, folder / str(workers) / "database", workers)
            where = f"with {workers} Ray workers" if workers else "without Ray"
            print(f"{where}: {held} documents, {chunks} chunks in {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()

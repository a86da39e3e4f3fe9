"""Measures ingestion, against embedding the same chunks alone and against plain text extraction.

Run: ``RABBITHOLE_BENCH_DATA=... python -m bench.documents.ingest [--pages N] [--unchanged N] [--folder gesetze/pdf]``.

Prints chunks per second of embedding alone and of the whole ingestion (goal >= 90 %), pages per second of reading
beside PyMuPDF's plain text, and the time of a run over unchanged files (goal <= 3 s for 1,000 PDFs). Both start with
the model loaded and no vectors cached: embedding alone uses a new encoder that has not met the words before.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import figures
from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.ingest.run.indexing import EMBED_TOGETHER
from rabbithole.kb.ingest.run.pool import ReaderPool
from rabbithole.kb.mupdf import pymupdf
from rabbithole.kb.store.encoders.embedding_models import make_embedder
from rabbithole.kb.store.records import embedding_text

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", Path(__file__).parents[3] / "shared" / "data"))
GOAL_SHARE = 0.9
GOAL_UNCHANGED = 3.0


def choose(folder: Path, pages: int, target: Path) -> list[Path]:
    """Copy the smallest files of a folder, up to this many pages, and return the copies."""
    chosen: list[Path] = []
    total = 0
    for path in sorted(folder.glob("*.pdf"), key=lambda each: (each.stat().st_size, each.name)):
        with pymupdf.open(path) as document:
            total += document.page_count
        chosen.append(Path(shutil.copy(path, target)))
        if total >= pages:
            break
    return chosen


def reading(files: list[Path], workers: int) -> None:
    began = time.perf_counter()
    pages = 0
    for path in files:
        with pymupdf.open(path) as document:
            pages += document.page_count
            for page in document:
                page.get_text()
    plain = time.perf_counter() - began
    with ReaderPool(1) as pool:
        pool.read(files[0])  # start the process
        began = time.perf_counter()
        for path in files:
            pool.read(path)
        structured = time.perf_counter() - began
    print(f"reading {pages} pages: plain text {1000 * plain / pages:.1f} ms a page; with structure in one reader "
          f"process {1000 * structured / pages:.1f} ms a page ({structured / plain:.1f} times plain text)")  # fmt: skip
    figures.note("plain text of a page with PyMuPDF alone", f"{1000 * plain / pages:.1f} ms")
    figures.note("a page with structure, by a reader process", f"{1000 * structured / pages:.1f} ms")


def embedding(folder: Path, settings: KbSettings, work: Path, goal: float = GOAL_SHARE) -> float:
    """Ingest, then embed the same texts alone in the same batches; return the ratio of the two speeds."""
    with KnowledgeBase.open(work / "kb", settings, create=True) as kb:
        kb.embed(["warm up"])
        began, spent = time.perf_counter(), cpu_seconds()
        report = kb.ingest([folder], "bench")
        whole, whole_cpu = time.perf_counter() - began, cpu_seconds() - spent
        texts = [
            embedding_text(document.title, chunk) for document in kb.documents() for chunk in kb.chunks(document.id)
        ]
        encoder = make_embedder(kb.embedding_model, settings)
        encoder.embed(["warm up"])
        began, spent = time.perf_counter(), cpu_seconds()
        for start in range(0, len(texts), EMBED_TOGETHER):
            encoder.embed(texts[start : start + EMBED_TOGETHER])
        alone, alone_cpu = time.perf_counter() - began, cpu_seconds() - spent
        name = kb.embedding_model
    share = alone / whole
    print(
        f"{report.pages} pages, {len(texts)} chunks of {sum(map(len, texts)) / len(texts):.0f} characters, model {name}"
    )
    print(f"embedding alone {len(texts) / alone:.1f} chunks/s; ingestion {len(texts) / whole:.1f} chunks/s; "
          f"share {share:.3f}   goal {goal}")  # fmt: skip
    print(f"processor seconds (what a busy machine cannot blur): embedding alone {alone_cpu:.1f}, "
          f"ingestion with its reader processes {whole_cpu:.1f}")  # fmt: skip
    figures.at_least(f"ingestion of {report.pages} pages over embedding the same chunks alone", share, goal)
    return share


def cpu_seconds() -> float:
    """Return the processor time of this process and of its finished children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def unchanged(count: int, work: Path) -> float:
    """Run twice over ``count`` small PDFs, in separate processes; return the seconds of the second run."""
    folder = work / "many"
    folder.mkdir()
    for number in range(count):
        with pymupdf.open() as document:
            document.new_page().insert_text((72, 72), f"Document number {number} has a line of text.")
            document.save(folder / f"{number:05}.pdf")
    code = (
        "import sys\nfrom pathlib import Path\nfrom rabbithole.kb import KbSettings, KnowledgeBase\n"
        "with KnowledgeBase.open(sys.argv[1], KbSettings(embedding_model='hash'), create=True) as kb:\n"
        "    report = kb.ingest([Path(sys.argv[2])], 'many')\n"
        "    print(len(report.added), len(report.unchanged))\n"
    )
    command = [sys.executable, "-c", code, str(work / "kb-many"), str(folder)]
    began = time.perf_counter()
    subprocess.run(command, check=True)
    first = time.perf_counter() - began
    began = time.perf_counter()
    subprocess.run(command, check=True)
    second = time.perf_counter() - began
    print(f"{count} PDFs: first run {first:.1f} s, run over unchanged files {second:.2f} s (start of the process "
          f"included)   goal {GOAL_UNCHANGED} s for 1000")  # fmt: skip
    figures.at_most(f"run over {count} unchanged PDFs", second, GOAL_UNCHANGED * count / 1000, " s")
    return second


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default="gesetze/pdf")
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--unchanged", type=int, default=1000)
    parser.add_argument("--model", default="use-multilingual")
    arguments = parser.parse_args()
    settings = KbSettings(embedding_model=arguments.model)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        (work / "pdf").mkdir()
        files = choose(DATA / arguments.folder, arguments.pages, work / "pdf")
        reading(files, settings.parse_workers)
        share = embedding(work / "pdf", settings, work)
        second = unchanged(arguments.unchanged, work) if arguments.unchanged else 0.0
    return 0 if share >= GOAL_SHARE and second <= GOAL_UNCHANGED * max(arguments.unchanged, 1) / 1000 else 1


if __name__ == "__main__":
    sys.exit(main())

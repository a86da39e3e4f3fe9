"""Measures a knowledge base in a folder beside its copy in PostgreSQL and LanceDB: same chunks, vectors and queries.

Run: ``RABBITHOLE_CATALOG=postgresql://... python -m bench.retrieval.growing [--chunks N] [--keep DIR]``.

The address is that of a user who may create databases: the benchmark makes its own and removes them. The chunks are
those of ``bench.retrieval.search``; `rabbithole kb copy` brings them to the cluster, and its time is printed.
``--documents N`` also lists so many documents, as every process does after a commit. ``--takeover`` also kills one of
two servers on the sample collection (``bench.running.takeover``). ``--ray``, as root, also ingests 100 PDFs without Ray
and with one and two workers (``bench.running.ray_ingest``).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple

import lancedb
import numpy as np
import psycopg
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from bench.running import takeover
from rabbithole.kb.copying import Location, copy_knowledge_base
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter
from rabbithole.kb.sample.build import sample_folder
from rabbithole.kb.search.scope import View
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.sql.open_catalog import open_catalog
from rabbithole.kb.store.sql.schema import READY

from .search import readers, recall
from .search_corpus import PER_DOCUMENT, Corpus, build, open_for_queries, settings

SEARCHES = 100
ALONE: Final = ("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
"""Starts a command in a network that has loopback alone, because Ray listens on every one."""


class Latency(NamedTuple):
    """Milliseconds by the clock, and p95 of this process's processor time (not the database's)."""

    p50: float
    p95: float
    busy: float


class Measured(NamedTuple):
    """The figures of one knowledge base. ``together``: searches a second of ten readers; ``size``: bytes a chunk."""

    latencies: dict[str, Latency]
    together: float
    recall: float
    size: float


def latency(call: Callable[[int], object]) -> Latency:
    """Return how long a call takes, after five that are not counted."""
    took, busy = [], []
    for number in range(-5, SEARCHES):
        began, used = time.perf_counter(), time.process_time()
        call(number)
        took.append((time.perf_counter() - began) * 1000)
        busy.append((time.process_time() - used) * 1000)
    p50, p95 = np.percentile(took[5:], (50, 95))
    return Latency(float(p50), float(p95), float(np.percentile(busy[5:], 95)))


def measured(folder: Path, chosen: KbSettings, chunks: int, size: int) -> Measured:
    """Search a knowledge base of ``chunks`` chunks that takes ``size`` bytes."""
    corpus = Corpus(100)
    queries = [corpus.query() for _ in range(SEARCHES + 5)]
    numbers = np.random.default_rng(1).integers(0, chunks // PER_DOCUMENT, SEARCHES + 5)
    ids = [f"d{number:06}" for number in numbers]
    years = [Filter(field="year", operator=">=", value=1950 + 5 * step) for step in range(14)]
    with open_for_queries(folder, corpus, chosen) as kb:
        latencies = {
            "words": latency(lambda n: kb.search(queries[n], mode="keyword")),
            "meaning": latency(lambda n: kb.search(queries[n], mode="semantic")),
            "hybrid": latency(lambda n: kb.search(queries[n], reread=False)),
            "hybrid with a year": latency(
                lambda n: kb.search(queries[n], filters=[years[n % len(years)]], reread=False)
            ),
            "in one document": latency(lambda n: kb.search(queries[n], documents=[ids[n]], reread=False)),
            "in one section": latency(
                lambda n: kb.search(queries[n], documents=[ids[n]], section=f"{ids[n]}:s7", reread=False)
            ),
        }
        found = recall(kb)
    return Measured(latencies, readers(folder, chosen), found, size / chunks)


def table(one: Measured, other: Measured) -> list[str]:
    """Return the lines of a Markdown table of both."""
    rows = []
    for name in one.latencies:
        cells = [", ".join(f"{part:.1f}" for part in each.latencies[name]) for each in (one, other)]
        rows.append((f"{name}, ms (p50, p95, processor p95)", *cells))
    rows.append(("ten readers, hybrid searches a second", f"{one.together:.0f}", f"{other.together:.0f}"))
    rows.append(("recall of the exact nearest 100", f"{one.recall:.3f}", f"{other.recall:.3f}"))
    rows.append(("bytes a chunk", f"{one.size:,.0f}", f"{other.size:,.0f}"))
    return [f"| {' | '.join(row)} |" for row in (("", "folder", "cluster"), ("---",) * 3, *rows)]


@contextmanager
def database(address: str, name: str) -> Iterator[str]:
    """Make an empty database, yield its address, and remove it."""
    with closing(psycopg.connect(address, autocommit=True)) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        server.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield make_conninfo(address, dbname=name)
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def compare(folder: Path, address: str, chunks: int) -> None:
    """Build, copy and measure; print the table."""
    embedded = Location("folder", folder / "exact", settings("exact"))
    if not (embedded.folder / "catalog.sqlite").exists():
        build(embedded.folder, Corpus(), chunks, "exact")
    here = settings("auto")
    one = measured(embedded.folder, here, chunks, _size(embedded.folder))
    addresses = {"rabbithole_catalog": SecretStr(address), "rabbithole_index": str(folder / "index")}
    cluster = Location("cluster", folder / "cluster", here.model_copy(update=addresses))
    began = time.perf_counter()
    copy_knowledge_base(embedded, cluster)
    print(f"copied to the cluster in {time.perf_counter() - began:.0f} s", flush=True)
    _forget_versions(folder / "index")
    with closing(psycopg.connect(address)) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    size = (row[0] if row else 0) + _size(folder / "index")
    other = measured(cluster.folder, cluster.settings, chunks, size)
    print("\n".join(table(one, other)))


def list_documents(folder: Path, address: str, count: int) -> None:
    """Print what a process needs to list all documents, as after each commit, in SQLite and in PostgreSQL."""
    columns = "id, state, collection, file, path, title, synonyms, language, pages, metadata, outline_source, first_row"
    rows = [
        (f"{n:016x}", READY, "big", f"d{n}.pdf", f"/big/d{n}.pdf", f"Titel {n}", "[]", "de", 10, "{}", "", n * 50, 50)
        for n in range(count)
    ]
    for name, where in (("SQLite", None), ("PostgreSQL", address)):
        with closing(open_catalog(folder / f"listed-{name}", where, create=True)) as catalog:
            with catalog.engine.transaction() as transaction:
                marks = ",".join("?" * len(rows[0]))
                transaction.run_many(f"INSERT INTO documents ({columns}, chunk_count) VALUES ({marks})", rows)
            began, used = time.perf_counter(), time.process_time()
            View(catalog, 1)
            wall, busy = time.perf_counter() - began, time.process_time() - used
            tracemalloc.start()
            listed = View(catalog, 1)
            size = tracemalloc.get_traced_memory()[0] / 2**20
            tracemalloc.stop()
            assert listed.shows(count)
            print(f"{name}: {count} documents in {wall:.2f} s ({busy:.2f} s processor), {size:.0f} MB", flush=True)


def _forget_versions(folder: Path) -> None:
    """Remove the former versions of the tables, as the first change an hour later does; else they would be counted."""
    connection = lancedb.connect(str(folder))
    for name in connection.list_tables().tables:
        connection.open_table(name).optimize(cleanup_older_than=timedelta(0), delete_unverified=True)


def take_over(folder: Path, address: str) -> None:
    """Print how long the run of a killed server waits for another one."""
    chosen = settings("auto").model_copy(update={"rabbithole_catalog": SecretStr(address)})
    with KnowledgeBase.open(folder / "sample", chosen, create=True) as kb:
        kb.ingest([sample_folder() / "pdf"], "sample")
    taken = takeover.measure(folder / "sample", address, folder)
    print(f"a killed server's run is continued after {taken.held:.1f} s, done after {taken.done:.1f} s", end="; ")
    print(f"the report equals that of an undisturbed run: {taken.equal}")


def ingest_with_ray() -> None:
    """Print how long ingestion takes without Ray and with one and two workers, into folders of its own."""
    here = {name: value for name, value in os.environ.items() if not name.startswith("RABBITHOLE_")}
    subprocess.run([*ALONE, sys.executable, "-m", "bench.running.ray_ingest"], env=here, check=True)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=200_000)
    parser.add_argument("--keep", type=Path, help="build the folder here, or use what was built here before")
    parser.add_argument("--documents", type=int, default=0, help="also list so many documents")
    parser.add_argument("--takeover", action="store_true", help="also kill one of two servers")
    parser.add_argument("--ray", action="store_true", help="also ingest with Ray; as root")
    chosen = parser.parse_args()
    named = KbSettings().rabbithole_catalog
    if named is None:
        parser.error("Set RABBITHOLE_CATALOG to a PostgreSQL server where databases may be created.")
    address = named.get_secret_value()
    folder = chosen.keep or Path(tempfile.mkdtemp(prefix="rabbithole-bench-"))
    try:
        with database(address, "rabbithole_bench_growing") as made:
            for former in ("index", "cluster"):
                shutil.rmtree(folder / former, ignore_errors=True)
            compare(folder, made, chosen.chunks)
        if chosen.documents:
            with database(address, "rabbithole_bench_listing") as made, tempfile.TemporaryDirectory() as temporary:
                list_documents(Path(temporary), made, chosen.documents)
        if chosen.takeover:
            with database(address, "rabbithole_bench_takeover") as made:
                shutil.rmtree(folder / "sample", ignore_errors=True)
                take_over(folder, made)
        if chosen.ray:
            ingest_with_ray()
    finally:
        if chosen.keep is None:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

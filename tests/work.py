"""The work of other processes in tests, so that they can be killed or disturb each other; see ``tests/forked.py``."""

from __future__ import annotations

import asyncio
import resource
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from flows import QUESTION, DelayedReasoner, answer_all, finish, finish_and_close, settings, workflow
from kb_records import put, record
from pydantic import SecretStr
from servers.settings import settings_for
from vector_rows import DIMENSION, Range, passages, rows_of

from rabbithole.kb.copying import Location, copy_knowledge_base
from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.search.filters import parse_filter
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store import copied_documents
from rabbithole.kb.store.blobs.blobs_place import BlobsPlace
from rabbithole.kb.store.index.index_choice import VectorKind, open_vectors
from rabbithole.kb.store.sql.sql_catalog import SqlCatalog
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.workflow.chat.runs.servers import Servers
from rabbithole.workflow.events import ResearchRequest
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.stores.run_store_choice import open_run_store
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

Ready = Callable[[], None]
SLOTS = 4
"""Number of concurrent model calls."""


def opened(folder: Path) -> KnowledgeBase:
    return KnowledgeBase.open(folder, KbSettings(_env_file=None, embedding_model="hash"))


def opened_runs(path: Path, address: str) -> RunStore:
    """The runs in the PostgreSQL database at ``address`` or, if it is empty, in the file at ``path``."""
    return open_run_store(path, SecretStr(address) if address else None)


def research_with_model(kb: KnowledgeBase, path: Path, url: str, *, resume: bool = False, wait: bool = False) -> Any:
    """One session of the run 'killed' against a model server; with ``wait`` nobody answers its questions."""
    runs = SqliteRunStore(path)
    reasoner = make_reasoner(settings_for(url, llm_concurrency=SLOTS, llm_idle_timeout=20.0), kb)
    flow = ResearchWorkflow(kb, settings(initial_todo_items=3), reasoner, runs)
    request = ResearchRequest(query="" if resume else QUESTION, run_id="killed", resume=resume)
    try:
        return asyncio.run(finish_and_close(flow, request, reasoner, None if wait else answer_all))
    finally:
        runs.close()


def model_research(ready: Ready, folder: Path, path: Path, url: str, wait: bool) -> None:
    kb = opened(folder)
    ready()
    research_with_model(kb, path, url, wait=wait)


def slow_research(ready: Ready, folder: Path, path: Path) -> None:
    """The run 'killed' without a model, in which answers take up to 0.3 s."""
    kb = opened(folder)
    request = ResearchRequest(query=QUESTION, run_id="killed")
    ready()
    asyncio.run(finish(workflow(kb, SqliteRunStore(path), DelayedReasoner(7, longest=0.3)), request, answer_all))


def research_of_replica(ready: Ready, folder: Path, path: Path, address: str, changes: dict[str, Any]) -> None:
    """One session of a run without a model in a store that others open too, in which answers take up to 0.3 s."""
    kb, runs = opened(folder), opened_runs(path, address)
    ready()
    request = ResearchRequest(query=QUESTION, auto_approve=True)
    asyncio.run(finish(workflow(kb, runs, DelayedReasoner(7, longest=0.3), **changes), request))


def ingest_folder(ready: Ready, folder: Path, documents: Path, largest: int = 0, patience: float = 0) -> str:
    """Return the error of an ingestion, or ''.

    ``largest``: maximum file size in bytes, which acts like a full disk. ``patience``: seconds it waits for another
    writer, if not as long as it does otherwise.
    """
    ready()
    if largest:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    try:
        with KnowledgeBase.open(folder, KbSettings(embedding_model="hash", parse_workers=1), create=True) as kb:
            if patience:
                patch.object(kb._store._lock, "_timeout", patience).start()
            kb.ingest([documents], "Proben")
    except KnowledgeBaseError as error:
        return str(error)
    return ""


def write_for_ever(ready: Ready, folder: Path, settings: KbSettings) -> None:
    """Versions of seven documents, one after the other."""
    kb = KnowledgeBase.open(folder, settings, create=True)
    for number in range(10_000):
        sections = [("§ 1", f"Fassung {number} der Vorschrift."), ("§ 2", f"Ausnahme {number}.")]
        put(kb.store, record(f"d{number % 7}", sections))
        if number == 0:
            ready()


def put_files_for_ever(ready: Ready, place: BlobsPlace) -> None:
    """Put files of some megabytes, one after the other."""
    blobs = place.open()
    for number in range(10_000):
        name = f"{number:016x}"
        with tempfile.NamedTemporaryFile() as file:
            file.write(name.encode() * 100_000)
            file.flush()
            with Path(file.name).open("rb") as opened:
                blobs.put(name, opened)
        if number == 0:
            ready()


def upload_for_ever(ready: Ready, folder: Path) -> None:
    """A chat server with a file being uploaded."""
    server = Servers(folder)
    (server.own_folder() / "upload.pdf").write_text("a part of it")
    ready()
    threading.Event().wait()


def commit_at_once(ready: Ready, folder: Path, settings: KbSettings, documents: int) -> int:
    """Make the same documents visible as other processes do; return for how many this process was the first."""
    won = 0
    with KnowledgeBase.open(folder, settings) as kb:
        catalog = kb.store.catalog
        staged = [catalog.stage([record(f"d{n}", [("§ 1", "Wortlaut.")])])[0].ordinal for n in range(documents)]
        ready()
        for ordinal in staged:
            try:
                catalog.publish([ordinal])
                won += 1
            except KnowledgeBaseError:
                continue
    return won


def read_until(ready: Ready, folder: Path, last: int, settings: KbSettings) -> int:
    """Search until the last version is found; return how many were found. Ready when the first one is."""
    versions: set[int] = set()
    with KnowledgeBase.open(folder, settings) as kb:
        while max(versions, default=0) < last:
            if not versions:
                first = kb.search("Fassung der Vorschrift", mode="keyword", filters=[parse_filter("kind=act")]).hits
                versions |= {int(hit.chunk.text.split()[3]) for hit in first}
                ready()
            for mode in ("keyword", "semantic", "hybrid"):
                hits = kb.search("Fassung der Vorschrift", mode=mode, filters=[parse_filter("kind=act")]).hits
                seen = [hit.chunk.text.split()[3] for hit in hits]
                assert len(seen) in (0, 2), seen  # between view and index a version may have gone, never half of it
                assert len(set(seen)) < 2, seen
                versions |= set(map(int, seen))
    return len(versions)


def write_rows_for_ever(ready: Ready, folder: Path, kind: VectorKind) -> None:
    """600 rows at a time, always the same; the length of a file says how many times that was finished."""
    index = open_vectors(kind, folder, 0, None, lambda: DIMENSION)
    index.open()
    ready()
    before = (folder / "finished").stat().st_size if (folder / "finished").exists() else 0
    for batch in range(before, 100):
        index.put(600 * batch, rows_of(600), passages(600))
        with (folder / "finished").open("ab") as file:
            file.write(b".")


def search_rows_until(ready: Ready, folder: Path, kind: VectorKind, last: int) -> int:
    """Search all rows that are there, in steps of 500, until there are ``last``; how many searches found something."""
    index, asked = open_vectors(kind, folder, 0, None, lambda: DIMENSION), rows_of(500)
    there = searches = 0
    ready()
    while there < last:
        while there < last and index.sound(np.arange(there, there + 500)).all():
            there += 500
        if there:
            found, cosines = index.nearest(asked[7], Range(there), 3)
            assert len(found) == 3
            assert cosines[0] > 0.999
            searches += 1
    index.close()
    return searches


def copy_slowly(ready: Ready, origin: Location, copy: Location, written: int) -> None:
    """Copy a knowledge base, and stop for ever in the transaction after ``written`` more parts were written."""
    left = written

    def wait(catalog: SqlCatalog, *_: object) -> None:
        nonlocal left
        if left == 0:
            ready()
            threading.Event().wait()
        left -= 1
        publish(catalog, *_)

    copied_documents.DOCUMENTS = 32  # type: ignore[misc]
    publish = SqlCatalog.publish
    SqlCatalog.publish = wait  # type: ignore[method-assign]
    copy_knowledge_base(origin, copy)

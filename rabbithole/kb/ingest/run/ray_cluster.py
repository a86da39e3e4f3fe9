"""Reading and embedding on a Ray cluster. Import this module only for ``--ray``: Ray is in the extra ``cluster``.

Ray's tasks are repeated without limit on another node when a worker or a node is gone, also those whose results were
lost with it. They write nothing, so that the ingesting process stores the same as it would alone.
"""

from __future__ import annotations

import math
import os
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from rabbithole.kb.errors import IngestError, KnowledgeBaseError, UsageError
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.embeddings import HASH, MULTILINGUAL, Embedder
from rabbithole.kb.store.vectors.matrix import Float32

from . import ray_tasks
from .indexing import AHEAD
from .last_words import LastWords
from .pool import reading_options

try:
    import ray
    from ray.exceptions import GetTimeoutError, RayError
except ImportError as missing:
    raise UsageError("--ray needs Ray, which is not installed: install rabbithole[cluster].") from missing

CONNECT_SECONDS = 5.0
WAIT_SECONDS = 1.0
LOOK_SECONDS = 5.0
WITHOUT_WORKERS_SECONDS = 60.0
"""How long a cluster may have no processor before ingestion gives up; a node that is started again takes ten."""
EMBED_LEAST = 32
"""Minimum number of texts for one task; sending fewer costs more than it saves."""
ANYWHERE = {"num_cpus": 1, "max_retries": -1}


class RayCluster:
    """A connection to a Ray cluster, until the block ends. One at a time in a process."""

    def __init__(self, address: str) -> None:
        """Raises UsageError if ``address`` is none, KnowledgeBaseError if the cluster there cannot be used."""
        self.address = address
        self._release = ray_tasks.release()
        _require_listener(address)
        self._last_words = LastWords(
            f"rabbithole: The ingestion on the Ray cluster at {address} was ended from outside, or its head or its "
            "node on this machine is gone; what was stored is complete, run the same command again."
        )
        try:
            # Ray leaves its process when a head does not answer, hence SystemExit.
            with _quiet():
                ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (RayError, RuntimeError, ValueError, OSError, SystemExit) as error:
            self._last_words.keep()
            raise KnowledgeBaseError(refused(address, error)) from error
        self._under_way: set[Any] = set()
        self.processors = 0
        self._looked = self._working = -math.inf
        try:
            self.look()
        except KnowledgeBaseError:
            self.close()
            raise
        self._read = ray.remote(**ANYWHERE)(ray_tasks.read)
        self._embed = ray.remote(**ANYWHERE)(ray_tasks.embed)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Cancel what is under way and disconnect.

        A task that Ray repeated while this process disconnects would end it at once, before its error is reported.
        """
        left = list(self._under_way)
        for reference in left:
            ray.cancel(reference, force=True)
        if left:
            ray.wait(left, num_returns=len(left), timeout=CONNECT_SECONDS)
        ray.shutdown()
        self._last_words.keep()

    def readers(self, settings: KbSettings) -> RayReaders:
        """Return what reads files here in place of a ReaderPool."""
        return RayReaders(self, settings)

    def embedder(self, embedder: Embedder, settings: KbSettings) -> RayEmbedder:
        """Return what embeds passages here with the model of ``embedder``."""
        return RayEmbedder(self, embedder, settings)

    def look(self) -> None:
        """Note how many tasks the cluster does at a time now; asks for it at most every ``LOOK_SECONDS``.

        Raises KnowledgeBaseError if the head is gone, or if the cluster has had no processor for too long.
        """
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        _require_listener(self.address)  # else Ray's next call aborts this process
        self.processors = int(ray.cluster_resources().get("CPU", 0))
        if self.processors:
            self._working = now
        elif now - self._working > WITHOUT_WORKERS_SECONDS:
            raise KnowledgeBaseError(
                f"The Ray cluster at {self.address} has no processors: start a worker with "
                f"`ray start --address={self.address}`, then run the same command again; what was stored is complete."
            )

    def read(self, task: ray_tasks.ReadingTask, ended: threading.Event) -> ParsedDocument:
        """Read a file on any node. Raises IngestError for its defects, KnowledgeBaseError for the cluster's.

        Raises GetTimeoutError if it is not read when ``ended`` is set.
        """
        answer = self._result(self._begun(self._read.remote(task, self._release)), ended)
        if isinstance(answer, IngestError):
            raise answer
        return answer

    def embed(self, tasks: Sequence[ray_tasks.EmbeddingTask], gpus: float) -> list[Float32]:
        """Embed all parts at the same time. Raises KnowledgeBaseError."""
        run = self._embed.options(num_gpus=gpus)
        return [self._result(one) for one in [self._begun(run.remote(task, self._release)) for task in tasks]]

    def _begun(self, reference: Any) -> Any:
        self._under_way.add(reference)
        return reference

    def _result(self, reference: Any, ended: threading.Event | None = None) -> Any:
        """Wait for a task; if its node is gone, Ray repeats it meanwhile."""
        while True:
            try:
                answer = ray.get(reference, timeout=WAIT_SECONDS)
                break
            except GetTimeoutError:
                if ended is not None and ended.is_set():
                    raise
                self.look()
            except RayError as error:
                self._under_way.discard(reference)
                raise KnowledgeBaseError(_failed(self.address, error)) from error
        self._under_way.discard(reference)
        if isinstance(answer, ray_tasks.Unfit):
            raise KnowledgeBaseError(f"A Ray worker of {self.address} {answer.reason}")
        return answer


class RayReaders:
    """Reads files on a Ray cluster, as ``ReaderPool`` does in processes of this machine."""

    def __init__(self, cluster: RayCluster, settings: KbSettings) -> None:
        self._cluster = cluster
        self._options = reading_options(settings)
        self._ended = threading.Event()
        self._threads = ThreadPoolExecutor(AHEAD, thread_name_prefix="ray-reader")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def submit(self, path: Path, passwords: Sequence[str] = ()) -> Future[ParsedDocument]:
        """Return a future that yields the document or raises IngestError with one sentence."""
        return self._threads.submit(self._read, path, passwords)

    def _read(self, path: Path, passwords: Sequence[str]) -> ParsedDocument:
        return self._cluster.read(ray_tasks.reading(path, passwords, self._options), self._ended)


class RayEmbedder:
    """Embeds on a Ray cluster with the model of another embedder, which itself is not loaded."""

    def __init__(self, cluster: RayCluster, embedder: Embedder, settings: KbSettings) -> None:
        self.name = embedder.name
        self._cluster = cluster
        self._settings = settings
        on_gpu = self.name not in (HASH, MULTILINGUAL) and ray.cluster_resources().get("GPU", 0) > 0
        self._gpus = 1.0 if on_gpu else 0.0

    @cached_property
    def dimension(self) -> int:
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        """Embed passages. Raises KnowledgeBaseError; queries are not embedded here."""
        assert not query
        self._cluster.look()
        parts = max(min(self._cluster.processors, len(texts) // EMBED_LEAST), 1)
        size = -(-len(texts) // parts)
        tasks = [
            ray_tasks.embedding(texts[start : start + size], self.name, self._settings)
            for start in range(0, len(texts), size)
        ]
        return np.concatenate(self._cluster.embed(tasks, self._gpus))


def _require_listener(address: str) -> None:
    """Raise an error at once if nobody listens: Ray would try for more than a minute."""
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdigit():
        raise UsageError(f"--ray {address} is no address of a Ray head: write HOST:6379.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        said = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise KnowledgeBaseError(
            f"No Ray head answers at {address} ({said}): start one with `ray start --head`, or check --ray."
        ) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Drop what Ray writes to standard error past Python: a warning a second while a head does not accept it."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def refused(address: str, error: BaseException) -> str:
    """Return why Ray did not connect, in one sentence."""
    said = " ".join(str(error).split())
    if "Version mismatch" in said:
        found = said.partition("started with: ")[2].partition(" This process")[0]
        return f"The Ray cluster at {address} is another version ({found}): install the same Ray and Python everywhere."
    if "No node info" in said:
        return f"This machine is no node of the Ray cluster: run `ray start --address={address} --num-cpus=0` first."
    if isinstance(error, SystemExit | ConnectionError):
        return f"What answers at {address} is no Ray head, or wants another token (RAY_AUTH_MODE, RAY_AUTH_TOKEN)."
    return f"The Ray cluster at {address} cannot be used: {said[:200]}"


def _failed(address: str, error: RayError) -> str:
    said = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    if any("No module named 'rabbithole" in line for line in said):
        return f"The Ray workers of {address} do not have Rabbithole: install the same version on all machines."
    return f"The Ray cluster at {address} failed: {said[-1][:200]}; what was stored is complete, run the command again."

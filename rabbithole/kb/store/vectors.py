"""The vectors in Chroma: embedded in the knowledge base's folder, or on a Chroma server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import private_folder

from .aside import move_aside
from .matrix import Float32

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

COLLECTION = "rabbithole-chunks"
_GRAPH = {"space": "cosine", "ef_construction": 16, "max_neighbors": 8}
"""Chroma keeps vectors here and is asked for them by id; its graph for nearest neighbours, which nobody asks, is built
thinly (half the time of an insertion)."""


# What it raises besides its own errors when its files are damaged; the last when it closes what it could not open.
_BROKEN = (AttributeError, OSError, ValueError, TypeError, KeyError, RuntimeError, sqlite3.Error)


class Vectors:
    """Row number -> vector. The id of a row in Chroma is its number in decimal."""

    def __init__(self, folder: Path, url: str | None, *, name: str = COLLECTION) -> None:
        self._folder = folder
        self._url = url
        self._name = name
        self._opened: tuple[ClientAPI, Collection] | None = None

    def add(self, first_row: int, vectors: Float32) -> None:
        """Store vectors (n, dimension) as rows first_row .. first_row + n - 1; replaces what is there."""
        client, collection = self.opened()
        with self._answering():
            size = client.get_max_batch_size()
            for start in range(0, len(vectors), size):
                part = vectors[start : start + size]
                ids = [str(first_row + start + offset) for offset in range(len(part))]
                collection.upsert(ids=ids, embeddings=part)

    def delete(self, rows: Sequence[int]) -> None:
        if not rows:
            return
        client, collection = self.opened()
        with self._answering():
            size = client.get_max_batch_size()
            for start in range(0, len(rows), size):
                collection.delete(ids=[str(row) for row in rows[start : start + size]])

    def get(self, rows: Sequence[int], dimension: int) -> Float32:
        """The vectors of the rows, float32; a row that is not stored is all zeros."""
        client, collection = self.opened()
        found = np.zeros((len(rows), dimension), dtype=np.float32)
        position = {str(row): index for index, row in enumerate(rows)}
        with self._answering():
            ids, size = list(position), client.get_max_batch_size()
            for start in range(0, len(ids), size):
                answer = collection.get(ids=ids[start : start + size], include=["embeddings"])
                for identifier, vector in zip(answer["ids"], _embeddings(answer), strict=True):
                    found[position[identifier]] = vector
        return found

    def count(self) -> int:
        return int(self.opened()[1].count())

    def clear(self) -> None:
        """Forget all vectors."""
        client, _ = self.opened()
        client.delete_collection(self._name)
        self.close()

    def set_aside(self) -> None:
        """Put a damaged folder out of the way and begin with an empty one; a server's vectors are not touched."""
        self._opened = None
        if self._url is None:
            from chromadb.api.shared_system_client import SharedSystemClient  # noqa: PLC0415  with chromadb

            SharedSystemClient._identifier_to_system.pop(
                str(self._folder), None
            )  # else it goes on with what it has open
            move_aside(self._folder)

    def close(self) -> None:
        """Forget what is held in memory: an embedded client never sees what another process writes."""
        if self._opened is not None:
            client, self._opened = self._opened[0], None
            client.close()
            _hang_up(client)

    def opened(self) -> tuple[ClientAPI, Collection]:
        if self._opened is None:
            with self._answering():
                client = _client(self._folder, self._url)
                collection = client.get_or_create_collection(
                    self._name, embedding_function=None, configuration={"hnsw": _GRAPH}
                )
            self._opened = client, collection
        return self._opened

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Chroma's errors in one sentence."""
        import httpx  # noqa: PLC0415  with chromadb, which takes 1.8 s; see _client
        from chromadb.errors import ChromaError  # noqa: PLC0415

        try:
            yield
        except KnowledgeBaseError:
            raise
        except BaseException as error:
            panic = type(error).__name__ == "PanicException"  # of Chroma's part in Rust: no Exception
            if not panic and not isinstance(error, (*_BROKEN, ChromaError, httpx.HTTPError)):
                raise
            where = f"server at {self._url}" if self._url else f"folder {self._folder}"
            cause = error.__context__ if isinstance(error, AttributeError) and error.__context__ else error
            reason = " ".join(str(cause).split())[:200] or type(cause).__name__
            raise KnowledgeBaseError(f"The Chroma {where} cannot be used: {reason}.") from error


def _client(folder: Path, url: str | None) -> ClientAPI:
    import chromadb  # noqa: PLC0415  takes 1.8 s; reading and keyword search never need it
    from chromadb.config import Settings  # noqa: PLC0415

    settings = Settings(anonymized_telemetry=False)
    if url is None:
        private_folder(folder)
        return chromadb.PersistentClient(path=str(folder), settings=settings)
    parts = urlsplit(url if "//" in url else f"http://{url}")
    try:
        return chromadb.HttpClient(
            host=parts.hostname or "localhost",
            port=parts.port or (443 if parts.scheme == "https" else 8000),
            ssl=parts.scheme == "https",
            settings=settings,
        )
    except ValueError as error:
        raise KnowledgeBaseError(
            f"The Chroma server at {url} does not answer: start it with `chroma run`, or unset CHROMA_URL."
        ) from error


def _hang_up(client: ClientAPI) -> None:
    """Close the connections to a server, its own and those of its administration: Chroma 1.5 leaves them open."""
    for one in (client, getattr(client, "_admin_client", None)):
        session = getattr(getattr(one, "_server", None), "_session", None)
        if session is not None:
            session.close()


def _embeddings(answer: Any) -> Any:
    return answer["embeddings"] if answer["embeddings"] is not None else []

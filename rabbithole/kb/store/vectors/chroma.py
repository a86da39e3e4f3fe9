"""Vectors in Chroma through LlamaIndex: in the knowledge base's folder, or on a Chroma server.

Only ``index_choice`` imports it, and only if this index is used, because Chroma and LlamaIndex take seconds to load.
Other LlamaIndex programs can open the collection: each node has its passage, document, section and page.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import chromadb
import httpx
import numpy as np
from chromadb.api.shared_system_client import SharedSystemClient
from chromadb.config import Settings
from chromadb.errors import ChromaError
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.vector_stores.chroma import ChromaVectorStore
from numpy.typing import NDArray

from rabbithole.kb.errors import KnowledgeBaseError, ReplacedError
from rabbithole.kb.files import private_folder
from rabbithole.kb.store.aside import move_aside
from rabbithole.kb.store.records import place_fields

from .matrix import Float32, Rows, closest, ranked
from .turns import Turns
from .vector_index import Passage, RowScope

GRAPH: Final = {"space": "cosine", "ef_construction": 100, "max_neighbors": 32, "ef_search": 1600}
"""Recall of the nearest 100 of 50,000 synthetic vectors is 0.99; with ``ef_search`` 800 it is 0.97, at 10,000 1.00."""
EXACT_LIMIT: Final = 1000
"""Up to this many rows are fetched by number and compared one by one."""
_FURTHER: Final = 4
"""Factor on the number of rows requested if too few of the nearest are in the scope."""
# Errors Chroma raises, besides its own, if its files are damaged; the last one when it closes what it could not open.
_BROKEN = (AttributeError, OSError, ValueError, TypeError, KeyError, RuntimeError, sqlite3.Error)


class ChromaVectors:
    """Vectors in Chroma. The id of a row is its number in decimal.

    An embedded Chroma does not see what another process writes, and two processes at once damage its files. So only one
    process at a time uses the folder, and it opens the folder again if another one has changed it.
    """

    def __init__(self, folder: Path, url: str | None, name: str, dimension: Callable[[], int]) -> None:
        self._folder = folder
        self._url = url
        self._name = name
        self._dimension = dimension
        self._guard = threading.RLock()
        self._turns = None if url else Turns(folder)  # a server can serve several processes at once
        self._opened: tuple[Any, ChromaVectorStore] | None = None
        self._seen = -1

    def open(self) -> None:
        with self._using():
            pass

    def put(self, first_row: int, vectors: Float32, passages: Iterable[Passage]) -> None:
        rows = range(first_row, first_row + len(vectors))
        with self._changing() as store:
            # ``add`` ignores ids that already exist.
            self._delete(store, rows)
            nodes = map(_node, rows, vectors, passages)
            while part := list(islice(nodes, self._together())):
                store.add(part)

    def remove(self, rows: Sequence[int]) -> None:
        if rows:
            with self._changing() as store:
                self._delete(store, rows)

    def get(self, rows: Rows) -> Float32:
        """Return the vectors of the rows. Raises ReplacedError if a row is missing (replaced meanwhile, or damage)."""
        vectors = self._found(rows)
        if not vectors.any(axis=1).all():
            raise self._incomplete()
        return vectors

    def nearest(self, query: Float32, scope: RowScope, limit: int) -> tuple[Rows, Float32]:
        if scope.size <= EXACT_LIMIT:
            rows = scope.rows()
            return closest(query, rows, self.get(rows), limit)
        for wanted in (limit, _FURTHER * limit):
            rows, cosines = self._asked(query, wanted)
            inside = np.fromiter((scope.holds(int(row)) for row in rows), dtype=np.bool_, count=len(rows))
            if np.count_nonzero(inside) >= limit or len(rows) < wanted:
                break
        else:  # a small share of all rows, so Chroma gets the list of allowed rows
            rows, cosines = self._asked(query, limit, ids=[str(row) for row in scope.rows()])
            inside = np.ones(len(rows), dtype=np.bool_)
        if not inside.any():
            raise self._incomplete()
        return ranked(rows[inside], cosines[inside], limit)

    def sound(self, rows: Rows) -> NDArray[np.bool_]:
        """Return which rows exist; Chroma keeps no checksums."""
        return np.asarray(self._found(rows).any(axis=1))

    def count(self) -> int:
        """Return the number of vectors, including those of documents being written or removed."""
        with self._using() as store:
            return int(store.client.count())

    def close(self) -> None:
        with self._guard:
            if self._opened is not None:
                client, self._opened = self._opened[0], None
                client.close()
                _hang_up(client)

    def set_aside(self) -> None:
        """Move the damaged folder aside; vectors on a server are not touched."""
        if self._turns is None:
            return
        with self._guard, self._turns.turn():
            self._opened = None
            self._forget_folder()
            move_aside(self._folder)
            self._seen = self._turns.count()

    def clear(self) -> None:
        """Delete the collection, and the folder if it was the last one in it."""
        with self._changing():
            assert self._opened is not None, "open while it is used"
            client = self._opened[0]
            client.delete_collection(self._name)
            others = self._url is not None or client.list_collections()
            self.close()
            if not others:
                self._forget_folder()
                shutil.rmtree(self._folder, ignore_errors=True)

    def _forget_folder(self) -> None:
        """Make Chroma close the folder; otherwise it would keep using the open files."""
        SharedSystemClient._identifier_to_system.pop(str(self._folder), None)

    def _asked(self, query: Float32, wanted: int, **among: list[str]) -> tuple[Rows, Float32]:
        """Return the nearest of all rows, or of those with the given ``ids``.

        This queries the collection directly: the LlamaIndex store would also fetch text and metadata of each node,
        which takes three times as long and is not needed here.
        """
        with self._using() as store:
            found = store.client.query(query_embeddings=[query], n_results=wanted, include=["distances"], **among)
        rows = np.array([int(each) for each in found["ids"][0]], dtype=np.int64)
        return rows, 1 - np.array(found["distances"][0], dtype=np.float32)

    def _found(self, rows: Rows) -> Float32:
        """Return the vectors of the rows; a missing row is all zeros."""
        vectors = np.zeros((len(rows), self._dimension()), dtype=np.float32)
        position = {str(row): index for index, row in enumerate(rows.tolist())}
        with self._using() as store:
            for ids in self._parts(list(position)):
                answer = store.client.get(ids=ids, include=["embeddings"])
                for identifier, vector in zip(answer["ids"], _embeddings(answer), strict=True):
                    vectors[position[identifier]] = vector
        return vectors

    def _delete(self, store: ChromaVectorStore, rows: Sequence[int]) -> None:
        for ids in self._parts([str(row) for row in rows]):
            store.delete_nodes(ids)

    def _parts(self, ids: list[str]) -> Iterator[list[str]]:
        size = self._together()
        return (ids[start : start + size] for start in range(0, len(ids), size))

    def _together(self) -> int:
        """Return how many rows Chroma accepts at once."""
        assert self._opened is not None, "open while it is used"
        return int(self._opened[0].get_max_batch_size())

    def _incomplete(self) -> ReplacedError:
        return ReplacedError(f"{self._place()} does not hold all vectors: mend it with `rabbithole kb repair`.")

    def _place(self) -> str:
        return f"The Chroma server at {self._url}" if self._url else f"The Chroma folder {self._folder}"

    @contextmanager
    def _changing(self) -> Iterator[ChromaVectorStore]:
        """Yield the collection for a change; other processes then open it again, even if this one is killed."""
        with self._using() as store:
            if self._turns is not None:
                self._seen = self._turns.count()
            yield store

    @contextmanager
    def _using(self) -> Iterator[ChromaVectorStore]:
        """Yield the current collection; Chroma's errors become one sentence."""
        with self._guard, self._turns.turn() if self._turns else nullcontext(), self._answering():
            if self._turns is not None and self._seen != (changes := self._turns.changes()):
                self.close()
                self._seen = changes
            if self._opened is None:
                client = _client(self._folder, self._url)
                collection = client.get_or_create_collection(
                    self._name, embedding_function=None, configuration={"hnsw": GRAPH}
                )
                self._opened = client, ChromaVectorStore(chroma_collection=collection)
            yield self._opened[1]

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except KnowledgeBaseError:
            raise
        except BaseException as error:
            panic = type(error).__name__ == "PanicException"  # from Chroma's Rust part; not a subclass of Exception
            if not panic and not isinstance(error, (*_BROKEN, ChromaError, httpx.HTTPError)):
                raise
            cause = error.__context__ if isinstance(error, AttributeError) and error.__context__ else error
            reason = " ".join(str(cause).split())[:200] or type(cause).__name__
            raise KnowledgeBaseError(f"{self._place()} cannot be used: {reason}.") from error


def _node(row: int, vector: Float32, passage: Passage) -> TextNode:
    document, chunk = passage
    return TextNode(
        id_=str(row),
        text=chunk.text,
        embedding=vector.tolist(),
        start_char_idx=chunk.start,
        end_char_idx=chunk.end,
        metadata={
            "chunk": chunk.id,
            "title": document.title,
            "collection": document.collection,
            **place_fields(chunk),
        },
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document.id)},
    )


def _client(folder: Path, url: str | None) -> Any:
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


def _hang_up(client: Any) -> None:
    """Close the client's connections to a server, including the admin client's, which Chroma 1.5 leaves open."""
    for one in (client, getattr(client, "_admin_client", None)):
        session = getattr(getattr(one, "_server", None), "_session", None)
        if session is not None:
            session.close()


def _embeddings(answer: Any) -> Any:
    return answer["embeddings"] if answer["embeddings"] is not None else []

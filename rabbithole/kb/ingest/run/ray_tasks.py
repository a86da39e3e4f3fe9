"""What Ray's worker processes do for ingestion: read one file, or embed some texts. They write nothing."""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from rabbithole.kb.errors import IngestError, RabbitholeError
from rabbithole.kb.files import unreadable
from rabbithole.kb.ingest.document.read_options import LayoutMode, require_layout
from rabbithole.kb.ingest.page.ocr import ocr_available
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.embedding_models import make_embedder
from rabbithole.kb.store.encoders.embeddings import Embedder
from rabbithole.kb.store.vectors.matrix import Float32

from .decisions import reader_mark
from .pool import ReaderPool, ReadingOptions


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """A file to read: its size as the ingesting process sees it, and the options of a ReaderPool."""

    path: str
    size: int
    passwords: tuple[str, ...]
    timeout: float
    memory_mb: int
    ocr_languages: str
    layout: LayoutMode


@dataclass(frozen=True, slots=True)
class EmbeddingTask:
    """Texts to embed with the model of this name."""

    texts: tuple[str, ...]
    model: str
    settings: str


@dataclass(frozen=True, slots=True)
class Unfit:
    """This machine cannot do the task as the ingesting one would; ``reason`` follows "The Ray worker on HOST"."""

    reason: str


def release() -> str:
    """Return what must be equal on all machines for their results to be equal: the versions of package and readers."""
    return f"{version('rabbithole')} ({reader_mark()}{reader_mark('other')})"


def read(task: ReadingTask, wanted: str) -> ParsedDocument | IngestError | Unfit:
    """Read one file; ``wanted`` is the ``release`` of the ingesting process."""
    if unfit := _unfit(task, wanted):
        return Unfit(unfit)
    pool = _pool(task.timeout, task.memory_mb, task.ocr_languages, task.layout)
    try:
        return pool.read(Path(task.path), task.passwords)
    except IngestError as error:
        return IngestError(str(error))  # without its causes, which may not be picklable


def embed(task: EmbeddingTask, wanted: str) -> Float32 | Unfit:
    """Return one vector for each text."""
    if wanted != release():
        return Unfit(_other_release(wanted))
    try:
        return _embedder(task.model, task.settings).embed(task.texts)
    except RabbitholeError as error:
        return Unfit(f"cannot embed: {error}")


def _unfit(task: ReadingTask, wanted: str) -> str:
    if wanted != release():
        return _other_release(wanted)
    try:
        require_layout(task.layout)
        size = os.stat(task.path).st_size
    except RabbitholeError as error:
        return f"cannot read: {error}"
    except OSError as error:
        return f"does not see {task.path} ({error.strerror}): mount the folder there under the same path."
    if size != task.size:
        return f"sees another file as {task.path} ({size} bytes, not {task.size}): mount the same folder there."
    if task.ocr_languages and not ocr_available():
        return "has no OCR, unlike this machine: install it there too, or set OCR=never."
    return ""


def _other_release(wanted: str) -> str:
    return f"has Rabbithole {release()}, this command is {wanted}: install the same version on all machines."


@lru_cache(maxsize=1)
def _pool(timeout: float, memory_mb: int, ocr_languages: str, layout: LayoutMode) -> ReaderPool:
    """Return the one reader of this worker process, kept between its tasks."""
    opened = ExitStack()
    atexit.register(opened.close)
    return opened.enter_context(
        ReaderPool(1, timeout=timeout, memory_mb=memory_mb, ocr_languages=ocr_languages, layout=layout)
    )


@lru_cache(maxsize=1)
def _embedder(model: str, settings: str) -> Embedder:
    return make_embedder(model, KbSettings.model_validate_json(settings))


def embedding(texts: Sequence[str], model: str, settings: KbSettings) -> EmbeddingTask:
    """Return a task with those settings that decide about vectors, and no others: some are secrets."""
    names = {name for name in KbSettings.model_fields if name.startswith("embedding_")}
    return EmbeddingTask(tuple(texts), model, settings.model_dump_json(include=names))


def reading(path: Path, passwords: Sequence[str], options: ReadingOptions) -> ReadingTask:
    """Return a task for a file as it is now. Raises IngestError if it is gone or cannot be looked at."""
    try:
        size = os.stat(path).st_size
    except OSError as error:
        raise IngestError(unreadable(path, error)) from error
    return ReadingTask(os.path.abspath(path), size, tuple(passwords), **options)

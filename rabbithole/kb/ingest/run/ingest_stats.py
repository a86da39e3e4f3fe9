"""Counts and lists of one ingestion."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from rabbithole.kb.models import SkippedFile
from rabbithole.kb.store.records import IndexedDocument

from .decisions import FileToRead, is_of_older_reader
from .progress import IngestProgress, IngestState, Stage


@dataclass(slots=True)
class Tally:
    """Counts and lists of one ingestion, and the callback for progress."""

    collection: str
    progress: IngestProgress | None
    began: float = field(default_factory=time.monotonic)
    files: int = 0
    files_total: int = 0
    bytes: int = 0
    bytes_total: int = 0
    pages: int = 0
    chunks: int = 0
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    read_again: list[str] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    warnings: list[SkippedFile] = field(default_factory=list)

    def count(self, work: FileToRead, indexed: IndexedDocument | None) -> None:
        """Count a file that was stored or skipped."""
        self.files += 1
        self.bytes += work.found.size
        if indexed is not None:
            before = work.before if work.before is not None and work.before.status == "taken" else None
            (self.added if before is None else self.changed).append(work.found.file)
            if before is not None and before.sha256 == work.sha256 and is_of_older_reader(before):
                self.read_again.append(work.found.file)
            self.pages += indexed.document.pages
        self.tell(file=work.found.file)

    def tell(self, stage: Stage = "read", file: str = "") -> None:
        if self.progress is None:
            return
        self.progress(
            IngestState(
                stage=stage,
                file=file,
                files=self.files,
                files_total=self.files_total,
                bytes=self.bytes,
                bytes_total=self.bytes_total,
                pages=self.pages,
                chunks=self.chunks,
                seconds=time.monotonic() - self.began,
            )
        )

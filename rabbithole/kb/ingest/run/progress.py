"""The progress of an ingestion, for display."""

from __future__ import annotations

from typing import Literal, Protocol

from pydantic import Field

from rabbithole.kb.models import Model

Stage = Literal["scan", "read", "done"]


class IngestState(Model):
    """One moment of an ingestion. ``file`` is the last one finished; the counts are of this run."""

    stage: Stage
    file: str = ""
    files: int = Field(default=0, description="files finished, unchanged ones included")
    files_total: int = 0
    bytes: int = Field(default=0, description="bytes of new or changed files finished")
    bytes_total: int = Field(default=0, description="bytes of all new or changed files")
    pages: int = 0
    chunks: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Chunks per second so far."""
        return self.chunks / self.seconds if self.seconds > 0 else 0.0

    @property
    def remaining(self) -> float | None:
        """Estimated seconds to go, by bytes; None while nothing is finished."""
        if self.bytes <= 0 or self.seconds <= 0:
            return None
        return self.seconds * (self.bytes_total - self.bytes) / self.bytes


class IngestProgress(Protocol):
    """Called in the ingestion's thread after every file and every batch of chunks; must return quickly."""

    def __call__(self, state: IngestState) -> None: ...

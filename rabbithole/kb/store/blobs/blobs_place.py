"""The place that RABBITHOLE_ORIGINALS names: a folder, or object storage."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.store.ports import Blobs

from .folder import FolderBlobs


@dataclass(frozen=True)
class BlobsPlace:
    """Where the files of one knowledge base are: in a folder or at ``s3://bucket/path``, below the base's own id."""

    address: str
    base: str

    def open(self) -> Blobs:
        """Return the files there. Raises KnowledgeBaseError if the place cannot be used."""
        if "://" not in self.address:
            return FolderBlobs(Path(self.address).expanduser() / self.base)
        try:
            adapter = import_module(".objects", __package__)  # PyArrow is an extra
        except ModuleNotFoundError as error:
            raise KnowledgeBaseError(
                "RABBITHOLE_ORIGINALS names object storage and needs PyArrow, which is not installed: pip install "
                "'rabbithole[cluster]'."
            ) from error
        opened: Blobs = adapter.open_objects(f"{self.address.rstrip('/')}/{self.base}")
        return opened

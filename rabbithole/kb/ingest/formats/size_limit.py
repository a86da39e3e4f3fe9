"""Limits how much of a file is read at once."""

from __future__ import annotations

import os
from pathlib import Path

from rabbithole.kb.errors import IngestError
from rabbithole.kb.files import open_regular

MAX_TEXT = 25_000_000


def read_limited(path: Path, kind: str, most: int = MAX_TEXT) -> bytes:
    """Return the bytes of a text file. Raises IngestError if it is empty or too large."""
    with open_regular(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size == 0:
            raise IngestError(f"{path.name} is empty (0 bytes).")
        if size > most:
            raise IngestError(
                f"{path.name} has {size // 1_000_000} MB; {kind} is read up to {most // 1_000_000} MB: split it."
            )
        return stream.read(most + 1)

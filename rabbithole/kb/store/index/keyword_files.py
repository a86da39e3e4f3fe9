"""The files of a keyword index: whether they are intact, which fields they hold, and how to open them for reading."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_MAGIC: Final = 1337
"""The last number in a file of Tantivy."""


def damaged_file(folder: Path) -> str:
    """Return the name of the first file of an index with a wrong checksum, or '' if all files are intact.

    A file of a segment that was never committed is left out: a killed writer leaves it, and the next one removes it.

    Tantivy ends a file with JSON that holds the CRC-32 of the bytes before it, the JSON's length and a magic number.
    """
    committed = _segments(folder)
    for path in sorted(folder.glob("*")):
        if path.suffix in ("", ".lock", ".json"):
            continue  # these have no checksum
        if committed is not None and path.name.split(".")[0] not in committed:
            continue
        data = path.read_bytes()
        length, magic = struct.unpack("<II", data[-8:]) if len(data) >= 8 else (0, 0)
        try:
            expected = json.loads(data[-8 - length : -8])["crc"] if magic == _MAGIC else None
        except (ValueError, KeyError, TypeError):
            expected = None
        if expected is None or zlib.crc32(memoryview(data)[: -8 - length]) != expected:
            return path.name
    return ""


def _segments(folder: Path) -> frozenset[str] | None:
    """Return the names of the committed segments, which their files begin with; None if they cannot be read."""
    try:
        listed = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["segments"]
        return frozenset(str(one["segment_id"]).replace("-", "") for one in listed)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def removed(folder: Path) -> int:
    """Return how many removed chunks are still in the committed segments, and so in their statistics of words."""
    try:
        listed = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["segments"]
        return sum(one["deletes"]["num_deleted_docs"] for one in listed if one["deletes"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0  # damaged: reported when the index is opened


def laid_out_with(folder: Path, field: str) -> bool:
    """Return whether the index in a folder has a field; a new index has all fields."""
    laid_out = folder / "meta.json"
    if not laid_out.exists():
        return True
    try:
        schema = json.loads(laid_out.read_text(encoding="utf-8"))["schema"]
        return any(one["name"] == field for one in schema)
    except (OSError, ValueError, KeyError, TypeError):
        return True  # damaged: reported when the index is opened


def linked(folder: Path) -> TemporaryDirectory[str]:
    """Return a folder of links to the files of an index, as opening an index makes a lock file beside them."""
    links = TemporaryDirectory(prefix="rabbithole-keywords-")
    for file in folder.glob("*"):
        if not file.name.endswith(".lock"):
            (Path(links.name) / file.name).symlink_to(file.absolute())
    return links

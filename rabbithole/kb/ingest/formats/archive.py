"""Checks the size of ZIP archives (Word, OpenDocument, EPUB) before anything is unpacked."""

from __future__ import annotations

import zipfile
from pathlib import Path

from rabbithole.kb.errors import IngestError

MAX_UNPACKED = 400_000_000
MAX_PART = 100_000_000
MAX_PARTS = 20_000
_OLE = b"\xd0\xcf\x11\xe0"


def require_archive(path: Path, kind: str) -> frozenset[str]:
    """Return the names in a sound archive. Raises IngestError if it is damaged, encrypted or too large unpacked.

    The sizes are those declared in the archive; the libraries that read it unpack no more than that.
    """
    with path.open("rb") as stream:
        head = stream.read(8)
    if not head:
        raise IngestError(f"{path.name} is empty (0 bytes).")
    if head.startswith(_OLE):
        raise IngestError(f"{path.name} is encrypted or in a format from before 2007; save it again as {kind}.")
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise IngestError(f"{path.name} is damaged or not a {kind} file: its archive cannot be read.") from error
    if any(member.flag_bits & 0x1 for member in members):
        raise IngestError(f"{path.name} is encrypted; save it without a password.")
    unpacked = sum(member.file_size for member in members)
    text = max((one.file_size for one in members if one.filename.lower().endswith(_TEXTS)), default=0)
    if unpacked > MAX_UNPACKED or text > MAX_PART or len(members) > MAX_PARTS:
        raise IngestError(
            f"{path.name} unpacks to {unpacked // 1_000_000} MB in {len(members)} parts and is not read; "
            f"up to {MAX_UNPACKED // 1_000_000} MB, {MAX_PART // 1_000_000} MB of text in one part, are taken."
        )
    return frozenset(member.filename for member in members)


_TEXTS = (".xml", ".rels", ".xhtml", ".html", ".htm", ".ncx", ".opf")

"""Decides what to do with each file, from the disk and the catalog. Pure functions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from rabbithole.kb.ingest.metadata.sidecar import Sidecar
from rabbithole.kb.ingest.suffixes import other_than_pdf
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.records import FileState

from .scan import FoundFile, under

READER_VERSION = "22"
"""Version of the PDF reader; raise it by one whenever titles, dates, outlines, tables or bibliographies change."""
FORMATS_VERSION = "7"
"""Version of the readers of all other formats; raising it does not cause PDFs to be read again."""


@dataclass(frozen=True, slots=True)
class FileToRead:
    """A file to read, with what the catalog knows about it."""

    found: FoundFile
    sha256: str
    sidecar: Sidecar
    fingerprint: str
    before: FileState | None = None


@dataclass(slots=True)
class Decisions:
    """The decisions: every file found is in exactly one list; ``removed`` are files of the catalog that are gone."""

    unchanged: list[FileState] = field(default_factory=list)
    read: list[FileToRead] = field(default_factory=list)
    duplicates: list[tuple[FileToRead, str]] = field(default_factory=list)
    moved: list[tuple[FileToRead, FileState]] = field(default_factory=list)
    touched: list[tuple[FileToRead, FileState]] = field(default_factory=list)
    removed: list[FileState] = field(default_factory=list)


def reader_mark(other: str = "") -> str:
    """Return the prefix of a fingerprint, which names the reader. ``other``: the suffix of a file that is no PDF."""
    return f"other-{FORMATS_VERSION}:" if other else f"pdf-{READER_VERSION}:"


def is_of_older_reader(before: FileState) -> bool:
    """Return whether the stored document was read by another version of the reader."""
    return before.status == "taken" and not before.sidecar.startswith(reader_mark(other_than_pdf(before.file)))


def fingerprint(sidecar: Sidecar, settings: KbSettings, *, ocr: bool, other: str = "") -> str:
    """Return a fingerprint of everything besides the file's bytes that decides how it is stored.

    Of the password, only its presence is included. ``other``: the suffix of a file that is not a PDF.
    """
    if other:
        parts: tuple[str, ...] = (
            other,
            sidecar.model_dump_json(exclude={"password"}),
            str(settings.chunk_characters),
            str(settings.chunk_overlap),
        )
        return reader_mark(other) + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    parts = (
        sidecar.model_dump_json(exclude={"password"}),
        str(bool(sidecar.password or settings.pdf_password)),
        settings.layout,
        str(settings.chunk_characters),
        str(settings.chunk_overlap),
        str(ocr and settings.ocr == "auto"),
    )
    return reader_mark() + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def is_unchanged(found: FoundFile, before: FileState | None, mark: str) -> bool:
    """Return whether size, time, path and fingerprint are unchanged; the file is not opened."""
    return (
        before is not None
        and before.size == found.size
        and before.mtime_ns == found.mtime_ns
        and before.sidecar == mark
        and before.path == str(found.path)
    )


def gone_files(states: Iterable[FileState], found: Sequence[FoundFile], roots: Sequence[Path]) -> list[FileState]:
    """Return the files of the catalog, within the given folders, that no longer exist."""
    present = {str(each.path) for each in found}
    return [state for state in states if state.path not in present and under(state.path, roots)]


def without_kept(gone: Sequence[FileState], kept: Set[str], hashes: Set[str]) -> list[FileState]:
    """Return the files that count as gone now: not those to keep, unless their bytes are found elsewhere (moved)."""
    return [state for state in gone if state.path not in kept or state.sha256 in hashes]


def decide(works: Sequence[FileToRead], unchanged: Sequence[FileState], gone: Sequence[FileState]) -> Decisions:
    """Sort hashed files into the lists. Of equal files one is kept: the one already stored, else the first."""
    decisions = Decisions(unchanged=list(unchanged))
    taken = {state.sha256: state.file for state in unchanged if state.status == "taken"}
    missing: dict[str, list[FileState]] = {}
    for state in gone:
        if state.status == "taken":
            missing.setdefault(state.sha256, []).append(state)
    moved_from: set[str] = set()
    for work in works:
        before = work.before
        if work.sha256 in taken:
            decisions.duplicates.append((work, taken[work.sha256]))
            continue
        same = before is not None and before.sha256 == work.sha256 and before.sidecar == work.fingerprint
        if before is not None and same and before.status != "duplicate":
            decisions.touched.append((work, before))
            if before.status == "taken":
                taken[work.sha256] = work.found.file
            continue
        old = next(
            (s for s in missing.get(work.sha256, ()) if s.sidecar == work.fingerprint and s.file not in moved_from),
            None,
        )
        if old is not None and before is None:
            moved_from.add(old.file)
            decisions.moved.append((work, old))
        else:
            decisions.read.append(work)
        taken[work.sha256] = work.found.file
    decisions.removed = [state for state in gone if state.file not in moved_from]
    return decisions


def freed_duplicates(
    unchanged: Sequence[FileState], gone: Sequence[FileState], changed: Mapping[str, str]
) -> list[FileState]:
    """Return unchanged duplicates whose original is gone or has changed: they must be read now.

    ``changed`` maps the names of hashed files to their current hash.
    """
    lost = {state.sha256 for state in gone if state.status == "taken"}
    kept = {s.sha256 for s in unchanged if s.status == "taken"} | set(changed.values())
    return [s for s in unchanged if s.status == "duplicate" and (s.sha256 in lost or s.sha256 not in kept)]

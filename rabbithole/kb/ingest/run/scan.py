"""Finds documents on the disk and gives them their names in the collection."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rabbithole.kb.errors import IngestError, UsageError
from rabbithole.kb.files import open_regular, unreadable
from rabbithole.kb.ingest.suffixes import NAMED, is_beside, is_taken, why_not
from rabbithole.kb.models import SkippedFile
from rabbithole.kb.store.records import FileState


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A document on the disk. ``file`` is its name in the collection, ``root`` the folder that was given."""

    file: str
    path: Path
    root: Path
    size: int
    mtime_ns: int


def find_documents(paths: Sequence[Path]) -> tuple[list[FoundFile], list[SkippedFile]]:
    """Return all documents in the given folders and files by name, and the files of unsupported formats.

    Hidden files and folders, and files that accompany documents (metadata, a page's style), are ignored. Raises
    UsageError for a path that does not exist or is no document, and if there is no document at all.
    """
    found: dict[Path, FoundFile] = {}
    left: dict[Path, SkippedFile] = {}
    for given in paths:
        path = Path(os.path.abspath(given))
        if not path.exists():
            raise UsageError(f"There is no file or folder {given}; give the folder with your documents.")
        if path.is_file():
            if not is_taken(path.name):
                raise UsageError(why_not(path.name))
            found.setdefault(path, _found(path, path.parent))
            continue
        for each in _walk(path):
            if is_taken(each.name):
                found.setdefault(each, _found(each, path))
            else:
                name = each.relative_to(path).as_posix()
                left.setdefault(each, SkippedFile(file=name, reason=why_not(each.name)))
    if not found:
        where = ", ".join(map(str, paths)) or "the given folders"
        raise UsageError(f"There is no document in {where} that can be read; supported formats are {NAMED}.")
    skipped = sorted(left.values(), key=lambda each: each.file)
    return _named_apart(sorted(found.values(), key=lambda each: (each.file, each.path))), skipped


def keep_names(found: Iterable[FoundFile], states: Mapping[str, FileState]) -> list[FoundFile]:
    """Give files that were ingested before their known names; a new file with a known name gets another one."""
    by_path = {state.path: name for name, state in states.items()}
    taken = set(states)
    kept: list[FoundFile] = []
    for each in found:
        name = by_path.get(str(each.path))
        if name is None:
            name = each.file
            if name in taken and states[name].path != str(each.path) and Path(states[name].path).exists():
                name = f"{each.path.parent.name}/{each.path.name}"
        taken.add(name)
        kept.append(FoundFile(name, each.path, _root_of(each, name), each.size, each.mtime_ns))
    return sorted(kept, key=lambda each: each.file)


def _root_of(found: FoundFile, name: str) -> Path:
    """Return the folder a file was first ingested with, whose metadata tables still apply to a file given alone."""
    depth = name.count("/")
    if found.root != found.path.parent or depth >= len(found.path.parents):
        return found.root
    folder = found.path.parents[depth]
    return folder if folder / name == found.path else found.root


def sha256_of(path: Path) -> str:
    """Return the hash of the file's bytes. Raises IngestError if it cannot be read."""
    try:
        with open_regular(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise IngestError(unreadable(path, error)) from error


def under(path: str, roots: Sequence[Path]) -> bool:
    """Return whether a path lies in one of the folders of this run."""
    return any(Path(path).is_relative_to(root) for root in roots)


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            path = Path(parent) / name
            if not is_beside(path.relative_to(folder)):
                yield path


def _found(path: Path, root: Path) -> FoundFile:
    try:
        status = path.stat()
    except OSError as error:  # a broken link is reported when the file is opened
        return FoundFile(path.relative_to(root).as_posix(), path, root, 0, int(bool(error)) - 1)
    return FoundFile(path.relative_to(root).as_posix(), path, root, status.st_size, status.st_mtime_ns)


def _named_apart(found: list[FoundFile]) -> list[FoundFile]:
    """Prefix the folder's name to files that have the same name as one of another given folder."""
    seen: set[str] = set()
    result: list[FoundFile] = []
    for each in found:
        name, count = each.file, 1
        while name in seen:
            name = f"{each.root.name}/{each.file}" if count == 1 else f"{each.root.name} ({count})/{each.file}"
            count += 1
        seen.add(name)
        result.append(FoundFile(name, each.path, each.root, each.size, each.mtime_ns))
    return result

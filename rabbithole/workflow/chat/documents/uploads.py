"""Documents uploaded in the chat: stored in their own folder, then ingested like any other."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

from rabbithole.kb.errors import UsageError
from rabbithole.kb.files import private_folder
from rabbithole.kb.ingest.run.progress import IngestProgress
from rabbithole.kb.ingest.suffixes import is_taken
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import IngestReport, Model

UNSAFE = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
MAX_NAME = 120


class UploadResult(Model):
    """The outcome for one file; ``reason`` is a sentence that says why it was not ingested."""

    name: str
    taken: bool
    known: bool = False
    pages: int = 0
    reason: str = ""


def safe_name(name: str) -> str:
    """Return a safe file name without folders; if its ending is unknown, '.pdf' is added."""
    plain = UNSAFE.sub("_", Path(name.replace("\\", "/")).name).strip(". ")
    suffix = Path(plain).suffix.lower() if is_taken(plain) else ".pdf"
    stem = (plain[: -len(suffix)] if plain.lower().endswith(suffix) else plain)[:MAX_NAME].strip(". ")
    return f"{stem or 'document'}{suffix}"


def keep(source: Path, name: str, folder: Path) -> Path:
    """Copy an uploaded file into the folder; if another file has its name, the new one is numbered."""
    private_folder(folder)
    digest = _digest(source)
    wanted = safe_name(name)
    for number in range(1, 1000):
        target = folder / (wanted if number == 1 else f"{Path(wanted).stem} ({number}){Path(wanted).suffix}")
        if not target.exists():
            shutil.copyfile(source, target)
            return target
        if _digest(target) == digest:
            return target
    raise UsageError(f"There are too many files named {wanted}: rename yours.")


def add(
    kb: KnowledgeBase,
    source: Path,
    name: str,
    *,
    folder: Path,
    collection: str,
    progress: IngestProgress | None = None,
) -> UploadResult:
    """Store and ingest one file. If it cannot be ingested it is removed again, unless it was there before."""
    target = folder / Path(safe_name(f"{collection}.pdf")).stem
    before = set(target.glob("*"))
    kept = keep(source, name, target)
    result = outcome(kb.ingest([kept], collection, progress=progress), kept.name)
    if not result.taken and kept not in before:
        kept.unlink(missing_ok=True)
    return result


def outcome(report: IngestReport, name: str) -> UploadResult:
    for skipped in report.skipped:
        return UploadResult(name=name, taken=False, reason=skipped.reason)
    known = bool(report.unchanged or report.duplicates)
    notes = " ".join(warning.reason for warning in report.warnings)
    return UploadResult(name=name, taken=True, known=known, pages=report.pages, reason=notes)


def folder_size(folder: Path) -> int:
    """Return the bytes of all files in a folder; 0 if it does not exist."""
    return sum(path.stat(follow_symlinks=False).st_size for path in folder.rglob("*") if path.is_file())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

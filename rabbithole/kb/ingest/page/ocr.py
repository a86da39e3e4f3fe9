"""Recognises text on pages without any, with OCRmyPDF and Tesseract if they are installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

INSTALL = "sudo apt install ocrmypdf tesseract-ocr-deu tesseract-ocr-eng"
SECONDS_PER_PAGE = 60.0
GROUP = 8


def ocr_available() -> bool:
    """Return whether both programs are on the path."""
    return bool(shutil.which("ocrmypdf") and shutil.which("tesseract"))


@lru_cache(maxsize=4)
def usable_languages(wanted: str) -> str:
    """Return those languages of "deu+eng" that Tesseract has, or "" if it has none."""
    try:
        done = subprocess.run(
            ["tesseract", "--list-langs"], capture_output=True, text=True, timeout=30, check=False, encoding="utf-8"
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    known = set(done.stdout.split()) | set(done.stderr.split())
    return "+".join(language for language in wanted.split("+") if language in known)


@dataclass(frozen=True, slots=True)
class Recognised:
    """The result of OCR: ``copy`` has text on ``pages``; ``reason`` says why pages are missing, if any are."""

    copy: Path | None
    pages: tuple[int, ...]
    reason: str = ""


def recognise(path: Path, pages: Sequence[int], languages: str, folder: Path) -> Recognised:
    """Make a copy of the PDF in ``folder`` with a text layer on the given pages (from 0), some pages at a time.

    If a later group fails or takes too long, the pages already recognised are kept.
    """
    usable = usable_languages(languages)
    if not usable:
        return Recognised(None, (), f"Tesseract has none of the languages {languages}; install them with `{INSTALL}`")
    copy: Path | None = None
    for start in range(0, len(pages), GROUP):
        target = folder / str(start) / path.name
        target.parent.mkdir()
        reason = _run(copy or path, pages[start : start + GROUP], usable, target)
        if reason:
            return Recognised(copy, tuple(pages[:start]), reason)
        copy = target
    return Recognised(copy, tuple(pages))


def _run(source: Path, pages: Sequence[int], languages: str, target: Path) -> str:
    """Run OCR; return "" on success, else the reason."""
    command = ["ocrmypdf", "--quiet", "--force-ocr", "--output-type", "pdf", "--optimize", "0", "--jobs", "1"]
    command += ["--pages", ",".join(str(page + 1) for page in pages), "--language", languages, str(source), str(target)]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=60 + SECONDS_PER_PAGE * len(pages),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"OCR took longer than {SECONDS_PER_PAGE:.0f} s a page"
    except OSError as error:
        return f"OCR could not be started ({error.strerror})"
    if done.returncode != 0 or not target.exists():
        said = [line for line in done.stderr.splitlines() if line.strip()]
        return f"OCR failed ({said[-1].strip()[:160] if said else f'exit status {done.returncode}'})"
    return ""

"""Text for pages that have none, by OCRmyPDF and Tesseract where they are installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

INSTALL = "sudo apt install ocrmypdf tesseract-ocr-deu tesseract-ocr-eng"
SECONDS_PER_PAGE = 30.0


def ocr_available() -> bool:
    """Whether both programs are on the path."""
    return bool(shutil.which("ocrmypdf") and shutil.which("tesseract"))


@lru_cache(maxsize=4)
def usable_languages(wanted: str) -> str:
    """Those of "deu+eng" that Tesseract has; "" when it has none."""
    try:
        done = subprocess.run(
            ["tesseract", "--list-langs"], capture_output=True, text=True, timeout=30, check=False, encoding="utf-8"
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    known = set(done.stdout.split()) | set(done.stderr.split())
    return "+".join(language for language in wanted.split("+") if language in known)


def recognise(path: Path, pages: Sequence[int], languages: str, folder: Path) -> tuple[Path | None, str]:
    """A copy of the PDF in ``folder`` with a text layer on the given pages (from 0), or None and the reason."""
    usable = usable_languages(languages)
    if not usable:
        return None, f"Tesseract has none of the languages {languages}; install them with `{INSTALL}`"
    target = folder / path.name
    command = ["ocrmypdf", "--quiet", "--force-ocr", "--output-type", "pdf", "--optimize", "0", "--jobs", "1"]
    command += ["--pages", ",".join(str(page + 1) for page in pages), "--language", usable, str(path), str(target)]
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
        return None, "OCR took too long"
    except OSError as error:
        return None, f"OCR could not be started ({error.strerror})"
    if done.returncode != 0 or not target.exists():
        said = [line for line in done.stderr.splitlines() if line.strip()]
        return None, f"OCR failed ({said[-1].strip()[:160] if said else f'exit status {done.returncode}'})"
    return target, ""

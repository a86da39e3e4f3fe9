"""Exports the list of missing works: CSV for spreadsheets, other formats for reference managers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from rabbithole.kb.errors import UsageError
from rabbithole.kb.works_export import WRITERS, Work

from .missing import Missing

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_KINDS = {"literature": "work", "law": "law", "document": "report", "section": "work"}


def write_missing(missing: Sequence[Missing], path: Path) -> int:
    """Write the works (not sections of held documents) in the format of the suffix; return their number.

    Formats are .csv, .bib, .ris and .csl. Raises UsageError for other suffixes and if the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix != ".csv" and suffix not in WRITERS:
        known = ", ".join((".csv", *WRITERS))
        raise UsageError(f"{path.name}: missing works can be written as {known}; choose one of these suffixes.")
    works = [each for each in missing if each.kind != "section"]
    content = to_csv(works) if suffix == ".csv" else WRITERS[suffix](works_of(works))
    try:
        path.write_text(content, encoding="utf-8", newline="")
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror or error}.") from error
    return len(works)


def to_csv(missing: Sequence[Missing]) -> str:
    """Return one CSV row for each work. Cells that a spreadsheet would read as a formula begin with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("name", "kind", "times", "cited by", "sections"))
    for each in missing:
        files = "; ".join(f"{by.file} ({by.times})" for by in each.cited_by)
        sections = "; ".join(f"{by.file}: {', '.join(by.sections)}" for by in each.cited_by if by.sections)
        writer.writerow([_cell(value) for value in (each.name, each.kind, str(each.times), files, sections)])
    return out.getvalue()


def works_of(missing: Sequence[Missing]) -> list[Work]:
    """Return each missing work with its name as the title and the citing documents as a note."""
    return [
        Work(
            key=f"missing{number}",
            title=_line(each.name),
            kind=_KINDS[each.kind],
            year=int(found[1]) if (found := _YEAR.search(each.name)) else None,
            note=_note(each),
        )
        for number, each in enumerate(missing, 1)
    ]


def _note(missing: Missing) -> str:
    return _line(f"cited {missing.times} times by {', '.join(by.file for by in missing.cited_by[:10])}")


def _cell(value: str) -> str:
    line = _line(value)
    return f"'{line}" if line.startswith(_FORMULA) else line


def _line(text: str) -> str:
    return " ".join(text.split())

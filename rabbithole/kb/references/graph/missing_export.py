"""The list of missing works for other programs: CSV for spreadsheets, BibTeX and RIS for reference managers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from rabbithole.kb.errors import UsageError

from .missing import Missing

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_SPECIAL = str.maketrans({letter: f"\\{letter}" for letter in "&%$#_{}"})
_BIBTEX = {"literature": "misc", "law": "misc", "document": "techreport", "section": "misc"}
_RIS = {"literature": "GEN", "law": "STAT", "document": "RPRT", "section": "GEN"}


def write_missing(missing: Sequence[Missing], path: Path) -> int:
    """Write works (no places in held documents) by suffix: .csv, .bib or .ris; how many. Raises UsageError."""
    writers = {".csv": to_csv, ".bib": to_bibtex, ".ris": to_ris}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise UsageError(
            f"{path.name}: missing works are written as {', '.join(writers)}; choose one of these suffixes."
        )
    works = [each for each in missing if each.kind != "section"]
    try:
        path.write_text(writer(works), encoding="utf-8", newline="")
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror or error}.") from error
    return len(works)


def to_csv(missing: Sequence[Missing]) -> str:
    """A row a work. A cell that a spreadsheet would take for a formula begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("name", "kind", "times", "cited by", "sections"))
    for each in missing:
        files = "; ".join(f"{by.file} ({by.times})" for by in each.cited_by)
        sections = "; ".join(f"{by.file}: {', '.join(by.sections)}" for by in each.cited_by if by.sections)
        writer.writerow([_cell(value) for value in (each.name, each.kind, str(each.times), files, sections)])
    return out.getvalue()


def to_bibtex(missing: Sequence[Missing]) -> str:
    """An entry a work; its name is the title, who cites it the note."""
    entries = []
    for number, each in enumerate(missing, 1):
        year = f",\n  year = {{{found[1]}}}" if (found := _YEAR.search(each.name)) else ""
        entries.append(
            f"@{_BIBTEX[each.kind]}{{missing{number},\n  title = {{{_line(each.name).translate(_SPECIAL)}}}{year},\n"
            f"  note = {{{_note(each).translate(_SPECIAL)}}}\n}}\n"
        )
    return "\n".join(entries)


def to_ris(missing: Sequence[Missing]) -> str:
    """A record a work, with the line ends the format asks for."""
    records = []
    for each in missing:
        lines = [f"TY  - {_RIS[each.kind]}", f"TI  - {_line(each.name)}"]
        if found := _YEAR.search(each.name):
            lines.append(f"PY  - {found[1]}")
        records.append("\r\n".join([*lines, f"N1  - {_note(each)}", "ER  - ", ""]))
    return "\r\n".join(records)


def _note(missing: Missing) -> str:
    return _line(f"cited {missing.times} times by {', '.join(by.file for by in missing.cited_by[:10])}")


def _cell(value: str) -> str:
    line = _line(value)
    return f"'{line}" if line.startswith(_FORMULA) else line


def _line(text: str) -> str:
    return " ".join(text.split())

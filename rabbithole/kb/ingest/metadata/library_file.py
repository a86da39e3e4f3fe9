"""Reads reference libraries (BibTeX, CSL-JSON, RIS) as a source of metadata for the files they name."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final

import rispy
from pybtex.database import Entry, parse_string
from pybtex.exceptions import PybtexError
from pybtex.richtext import Text

from rabbithole.kb.errors import IngestError, UsageError
from rabbithole.kb.files import open_regular
from rabbithole.kb.ingest.suffixes import is_taken
from rabbithole.kb.models import Model, Scalar

MAX_BYTES = 50_000_000
LEAST_TITLE = 12
"""Minimum number of letters of a title for a file to be found by it."""
_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)(?!\d)")
_ATTACHED = re.compile(r"(?<!\\)[;]")
_RIS_FILES = ("file_attachments1", "file_attachments2", "link_to_pdf", "link_to_fulltext")
_FIELDS: Final = {
    "journal": "journal", "journaltitle": "journal", "booktitle": "journal", "container-title": "journal",
    "publisher": "publisher", "institution": "publisher", "doi": "doi", "isbn": "isbn", "keywords": "keywords",
    "number": "number", "volume": "volume",
}  # fmt: skip


class LibraryEntry(Model):
    """One work. ``files`` are names or paths as the library writes them."""

    key: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    kind: str = ""
    files: tuple[str, ...] = ()
    values: Mapping[str, Scalar] = {}

    def as_sidecar(self) -> dict[str, Any]:
        """Return the entry as a row of ``metadata.csv``."""
        found = {"title": self.title, "authors": "; ".join(self.authors), "year": self.year,
                 "literature_type": self.kind, "citation_key": self.key, **self.values}  # fmt: skip
        return {name: value for name, value in found.items() if value}


class LibraryFile:
    """Finds the entry of a file by a path in the library, else by a citation key or title equal to the file's name."""

    def __init__(self, entries: Iterable[LibraryEntry] = ()) -> None:
        self.entries = tuple(entries)
        self._by_name: dict[str, list[LibraryEntry]] = {}
        self._by_stem: dict[str, list[LibraryEntry]] = {}
        for entry in self.entries:
            for file in entry.files:
                self._by_name.setdefault(_plain_path(file).name.casefold(), []).append(entry)
            for name in (entry.key, entry.title if len(_letters(entry.title)) >= LEAST_TITLE else ""):
                if name:
                    self._by_stem.setdefault(_letters(name), []).append(entry)

    def of(self, path: Path) -> LibraryEntry | None:
        """Return the entry of a file, or None if there is none or several fit."""
        named = self._by_name.get(path.name.casefold(), [])
        if len(named) > 1:  # same name in several folders, as Zotero stores files
            end = [entry for entry in named if any(_ends(path, file) for file in entry.files)]
            named = end or named
        found = named or self._by_stem.get(_letters(path.stem), [])
        return found[0] if len({entry.key for entry in found}) == 1 else None


def read_library(path: Path) -> LibraryFile:
    """Read a library by its suffix. Raises UsageError if the format is unknown or the file is broken or empty."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise UsageError(
            f"{path.name} is not a library file: give a BibTeX (.bib), CSL-JSON (.json) or RIS (.ris) file."
        )
    try:
        with open_regular(path) as stream:
            data = stream.read(MAX_BYTES + 1)
    except IngestError as error:
        raise UsageError(str(error)) from error
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path.name} has more than {MAX_BYTES // 1_000_000} MB, which is too large: split it.")
    try:
        entries = reader(data.decode("utf-8-sig"))
    except (PybtexError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        said = " ".join(str(error).split())[:160] or type(error).__name__
        raise UsageError(f"The library {path.name} cannot be read: {said}; export it again.") from error
    if not entries:
        raise UsageError(f"The library {path.name} has no entries.")
    return LibraryFile(entries)


def _from_bibtex(text: str) -> list[LibraryEntry]:
    return [_bibtex_entry(key, entry) for key, entry in parse_string(text, "bibtex").entries.items()]


def _bibtex_entry(key: str, entry: Entry) -> LibraryEntry:
    fields = {name.casefold(): value for name, value in entry.fields.items()}
    people = [_latex(str(person)) for person in entry.persons.get("author", entry.persons.get("editor", []))]
    return LibraryEntry(
        key=key,
        title=_latex(fields.get("title", "")),
        authors=tuple(people),
        year=_year(fields.get("year") or fields.get("date") or ""),
        kind=entry.type,
        files=tuple(_attachments(fields.get("file", ""))),
        values={_FIELDS[name]: _latex(value) for name, value in fields.items() if name in _FIELDS},
    )


def _attachments(field: str) -> list[str]:
    """Return the files of a field: 'Full Text:files/12/a.pdf:application/pdf;b.html' names two."""
    found: list[str] = []
    for part in _ATTACHED.split(field.replace("\\:", "\0")):
        pieces = [piece.replace("\0", ":").replace("\\;", ";") for piece in part.split(":")]
        found += [piece.strip() for piece in pieces if is_taken(piece.strip())][:1]
    return found


def _from_csl(text: str) -> list[LibraryEntry]:
    rows = json.loads(text)
    rows = rows.get("items", []) if isinstance(rows, dict) else rows
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("it is not a list of works")
    return [_csl_entry(row, number) for number, row in enumerate(rows)]


def _csl_entry(row: dict[str, Any], number: int) -> LibraryEntry:
    people = [
        ", ".join(part for part in (one.get("family") or one.get("literal") or "", one.get("given") or "") if part)
        for one in row.get("author") or row.get("editor") or []
    ]
    dates = (row.get("issued") or {}).get("date-parts") or [[(row.get("issued") or {}).get("raw", "")]]
    files = [str(one.get("path") or one.get("localPath") or "") for one in row.get("attachments") or []]
    named = {name.casefold(): value for name, value in row.items() if isinstance(value, (str, int))}
    return LibraryEntry(
        key=str(row.get("citation-key") or row.get("id") or number),
        title=" ".join(str(row.get("title") or "").split()),
        authors=tuple(filter(None, people)),
        year=_year(str(dates[0][0]) if dates and dates[0] else ""),
        kind=str(row.get("type") or ""),
        files=tuple(file for file in [*files, *_attachments(str(row.get("file") or ""))] if file),
        values={_FIELDS[name]: str(value) for name, value in named.items() if name in _FIELDS and value},
    )


def _from_ris(text: str) -> list[LibraryEntry]:
    return [_ris_entry(row, number) for number, row in enumerate(rispy.loads(text))]


def _ris_entry(row: Mapping[str, Any], number: int) -> LibraryEntry:
    values = {"journal": row.get("journal_name") or row.get("secondary_title"), "doi": row.get("doi"),
              "publisher": row.get("publisher"), "keywords": "; ".join(row.get("keywords") or [])}  # fmt: skip
    attached: list[str] = []
    for name in _RIS_FILES:
        value = row.get(name) or []
        attached += [value] if isinstance(value, str) else list(value)
    return LibraryEntry(
        key=str(row.get("id") or number),
        title=" ".join(str(row.get("title") or row.get("primary_title") or "").split()),
        authors=tuple(row.get("authors") or row.get("first_authors") or ()),
        year=_year(str(row.get("year") or row.get("publication_year") or row.get("date") or "")),
        kind=str(row.get("type_of_reference") or ""),
        files=tuple(file for file in attached if is_taken(file)),
        values={name: str(value) for name, value in values.items() if value},
    )


_READERS: Final[Mapping[str, Callable[[str], Sequence[LibraryEntry]]]] = {
    ".bib": _from_bibtex, ".json": _from_csl, ".ris": _from_ris,
}  # fmt: skip


def _latex(value: str) -> str:
    """Return LaTeX as plain text: 'The {S}ample \\"uber'."""
    try:
        plain = Text.from_latex(value).render_as("text")
    except PybtexError:
        plain = value  # braces do not match: keep the text as it is
    return " ".join(plain.split())


def _year(text: str) -> int | None:
    match = _YEAR.search(text)
    return int(match[1]) if match else None


def _plain_path(file: str) -> PurePath:
    return PurePath(file.replace("\\", "/"))


def _ends(path: Path, file: str) -> bool:
    """Return whether the last folder and the file name are those in the library."""
    written = _plain_path(file).parts
    return len(written) > 1 and path.parts[-2:] == written[-2:]


def _letters(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text).casefold() if each.isalnum())

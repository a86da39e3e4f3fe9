"""Reads the metadata that people give for a file in sidecars, with typed values."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import Field, SecretStr

from rabbithole.kb.errors import IngestError
from rabbithole.kb.files import open_regular
from rabbithole.kb.models import Model, Scalar

from .library_file import LibraryFile

TABLE_NAME = "metadata.csv"
_INTEGER = re.compile(r"[+-]?\d{1,15}")
_FLOAT = re.compile(r"[+-]?\d+\.\d+(?:[eE][+-]?\d+)?")
_GERMAN_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_WORDS = {
    "true": True,
    "wahr": True,
    "ja": True,
    "yes": True,
    "false": False,
    "falsch": False,
    "nein": False,
    "no": False,
}


class Sidecar(Model):
    """Metadata that people give for a file. ``values`` can be filtered by; the password is never stored."""

    title: str = ""
    language: str = ""
    synonyms: tuple[str, ...] = ()
    password: SecretStr | None = None
    values: Mapping[str, Scalar] = Field(default_factory=dict)


class Sidecars:
    """Finds metadata of files: ``<file>.json`` beside a file wins over ``metadata.csv``, and that over a library."""

    def __init__(self, library: LibraryFile | None = None) -> None:
        self._tables: dict[Path, dict[str, dict[str, str]]] = {}
        self._library = library or LibraryFile()

    def of(self, path: Path, root: Path) -> Sidecar:
        """Return the metadata of a file below ``root``. Raises IngestError if a sidecar cannot be read."""
        entry = self._library.of(path)
        values: dict[str, Any] = entry.as_sidecar() if entry is not None else {}
        for folder in [root, *reversed([p for p in path.parents if root in p.parents])]:
            rows = self._table(folder)
            name = PurePosixPath(path.relative_to(folder)).as_posix() if folder in path.parents else path.name
            values |= {key: typed(value) for key, value in (rows.get(name) or rows.get(path.name) or {}).items()}
        for beside in (path.with_name(path.name + ".json"), path.with_suffix(".json")):
            if beside.is_file():
                values |= _json(beside)
                break
        return _sidecar(values)

    def _table(self, folder: Path) -> dict[str, dict[str, str]]:
        if folder not in self._tables:
            table = folder / TABLE_NAME
            self._tables[folder] = _rows(table) if table.is_file() else {}
        return self._tables[folder]


def typed(value: str) -> Scalar:
    """Return the value with its type: "12" -> 12, "1.5" and "1,5" -> 1.5, "ja" -> True, "3.5.2020" -> "2020-05-03".

    Anything else stays text; an empty value is None.
    """
    text = value.strip()
    if not text:
        return None
    if _INTEGER.fullmatch(text) and not re.match(r"[+-]?0\d", text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if re.fullmatch(r"[+-]?\d+,\d+", text):
        return float(text.replace(",", "."))
    if text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    if match := _GERMAN_DATE.fullmatch(text):
        return _iso(int(match[3]), int(match[2]), int(match[1])) or text
    return text


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _rows(table: Path) -> dict[str, dict[str, str]]:
    try:
        with open_regular(table) as file:
            text = file.read().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise IngestError(f"The metadata table {table} cannot be read: {error}.") from error
    lines = text.splitlines()
    separator = max(";,\t", key=lines[0].count) if lines else ","
    reader = csv.DictReader(lines, delimiter=separator)
    if "file" not in (reader.fieldnames or ()):
        raise IngestError(f"The metadata table {table} needs a column named 'file'.")
    return {
        row["file"].strip().replace("\\", "/"): {k.strip(): v for k, v in row.items() if k and k != "file" and v}
        for row in reader
        if row.get("file")
    }


def _json(path: Path) -> dict[str, Any]:
    try:
        with open_regular(path) as file:
            values = json.loads(file.read().decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise IngestError(f"The sidecar {path} cannot be read: {error}.") from error
    if not isinstance(values, dict):
        raise IngestError(f"The sidecar {path} must contain one JSON object.")
    return values


def _sidecar(values: Mapping[str, Any]) -> Sidecar:
    rest = dict(values)
    synonyms = rest.pop("synonyms", None) or ()
    names = synonyms.split(";") if isinstance(synonyms, str) else list(synonyms)
    password = rest.pop("password", None)
    return Sidecar(
        title=str(rest.pop("title", None) or ""),
        language=str(rest.pop("language", None) or "")[:2].lower(),
        synonyms=tuple(name for each in names if (name := str(each).strip())),
        password=SecretStr(str(password)) if password not in (None, "") else None,
        values={str(key): scalar for key, value in rest.items() if (scalar := _scalar(value)) is not None},
    )


def _scalar(value: Any) -> Scalar:
    if isinstance(value, str):
        match = _GERMAN_DATE.fullmatch(value.strip())
        return (_iso(int(match[3]), int(match[2]), int(match[1])) or value) if match else value
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, list):
        return "; ".join(str(each) for each in value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)

"""The well-known series and gazettes of the reviewed data file, and the designations they name."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.resources import files
from typing import Any

from .designation import Designation
from .designation_reader import Designations, Series

_ISSUE = re.compile(r"\bn(?:r|o)\.\s?\d")


@lru_cache(maxsize=1)
def well_known() -> Designations:
    """Return a reader of the series in the reviewed data file."""
    return Designations(Series.model_validate(row) for row in _data()["series"])


@lru_cache(maxsize=65536)
def designation_of(name: str) -> Designation | None:
    """Return the designation if the whole name is one of a well-known series, else None."""
    return well_known().read(name)


def part_mark(series: str) -> str:
    """Return how a series joins the number of a part: '-', '.', or the word 'Part'."""
    style = next((reader.row.style for reader in well_known().readers if reader.row.series == series), ())
    return "-" if "dash-part" in style else "." if "dot-part" in style else "Part"


@lru_cache(maxsize=1)
def gazettes() -> dict[str, str]:
    """Return the gazettes: spelling in small letters -> short name ('amtliches mitteilungsblatt' -> 'AMBl.')."""
    return {spelling.casefold(): row[0] for row in _data()["gazettes"] for spelling in row}


def is_issue_of_gazette(name: str) -> bool:
    """Return whether a name is an issue of a gazette: 'AMBl. HTW Berlin Nr. 08/24', 'Dienstblatt 2021 Nr. 2'."""
    folded = name.casefold()
    return _ISSUE.search(folded) is not None and any(
        folded.startswith((spelling, short.casefold())) for spelling, short in gazettes().items()
    )


def _data() -> dict[str, list[Any]]:
    text = (files("rabbithole.kb.references.names.data") / "series.json").read_text(encoding="utf-8")
    data: dict[str, list[Any]] = json.loads(text)
    return data

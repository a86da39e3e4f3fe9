"""Which questions are held out together: by collection on real PDFs, by article on public sets."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bench.answering.selection_sets import BUILD, REAL, UNSEEN, WRITTEN, collection_of

FOLDS: Final = 3
NEVER: Final = -1
"""The fold of questions that nothing is learned from."""
_FOLD_OF: Final[Mapping[str, int]] = {
    "nist": 0, "gesetze": 0, "papers": 1, "ordnungen": 1, "rfc": 2, "handbuch": 2, "guides": 2,
    "guidebooks": 0, "adgm": 0, "vignettes": 0, "anleitungen": 1, "cfr": 1, "standards": 1, "manuals": 2, "hilfen": 2,
}  # fmt: skip


def fold_of(name: str, group: str) -> int:
    """Return the fold of a question of a set."""
    if name in UNSEEN:
        return NEVER
    if name in (*REAL, *WRITTEN):
        return _FOLD_OF[collection_of(name)]
    return zlib.crc32(group.encode()) % FOLDS


HELD_OUT: Final = frozenset(("rfc", "handbuch", "guides"))
"""Collections of real PDFs that the reader of the package has not learned to order units from."""


def is_held_out(name: str) -> bool:
    """Return whether the reader of the package has not learned to order units from a set."""
    return name in UNSEEN or collection_of(name) in HELD_OUT


def reader_path(fold: int) -> Path:
    """Return where the reader that never saw a fold is kept."""
    return BUILD / f"span_reader.{fold}.npz"

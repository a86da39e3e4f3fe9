"""Rename damaged folders instead of deleting them, as someone may need their content."""

from __future__ import annotations

import logging
from pathlib import Path

log = logging.getLogger(__name__)


def move_aside(folder: Path) -> None:
    """Rename a folder to ``NAME.damaged``, with a number if that exists; do nothing if there is no such folder."""
    if not folder.exists():
        return
    number = 1
    while (target := folder.with_name(f"{folder.name}.damaged{f'-{number}' if number > 1 else ''}")).exists():
        number += 1
    folder.rename(target)
    log.warning("%s was damaged and is kept as %s.", folder.name, target)

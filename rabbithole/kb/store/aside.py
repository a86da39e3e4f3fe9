"""Damaged folders are put out of the way, not deleted: what is in them may be wanted."""

from __future__ import annotations

import logging
from pathlib import Path

log = logging.getLogger(__name__)


def move_aside(folder: Path) -> None:
    """Give a folder another name (``NAME.damaged``, numbered where that is taken); nothing happens without one."""
    if not folder.exists():
        return
    number = 1
    while (target := folder.with_name(f"{folder.name}.damaged{f'-{number}' if number > 1 else ''}")).exists():
        number += 1
    folder.rename(target)
    log.warning("%s was damaged and is kept as %s.", folder.name, target)

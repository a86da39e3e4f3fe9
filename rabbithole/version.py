"""The package version, from the checkout's ``pyproject.toml`` if there is one, else from the installed metadata."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


@cache
def installed_version() -> str:
    """Return the version of this package, or 'unknown' when there is neither a checkout nor an installation."""
    if PROJECT.is_file():
        stated: str = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
        return stated
    try:
        return version("rabbithole")
    except PackageNotFoundError:
        return "unknown"

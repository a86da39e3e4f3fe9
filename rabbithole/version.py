"""The version: of the checkout's ``pyproject.toml``, which is the one place that says it, else of the installation."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


@cache
def installed_version() -> str:
    """The version of this package; 'unknown' when neither a checkout nor an installation says it."""
    if PROJECT.is_file():
        stated: str = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
        return stated
    try:
        return version("rabbithole")
    except PackageNotFoundError:
        return "unknown"

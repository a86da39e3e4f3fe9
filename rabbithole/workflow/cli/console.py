"""Terminal output: data goes to standard output, all messages to standard error."""

from __future__ import annotations

import json
import sys
import unicodedata
from io import TextIOWrapper

from rich.console import Console

ERR = Console(stderr=True, highlight=False)
OUT = Console(highlight=False)


def use_utf8() -> None:
    """Print umlauts in any locale; characters that cannot be encoded are replaced and never raise an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def printable(text: str) -> str:
    """Return text without control characters, so that a document cannot control the terminal."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def one_line(text: str) -> str:
    return " ".join(printable(text).split())


def complain(message: str) -> None:
    """Print one line on standard error."""
    sys.stderr.write(f"rabbithole: {one_line(message)}\n")


def print_json(data: object) -> None:
    """Print one JSON document on standard output; ``data`` contains JSON values only."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")

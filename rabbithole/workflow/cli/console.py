"""What goes to the terminal: data to standard output, everything said about it to standard error."""

from __future__ import annotations

import json
import sys
import unicodedata
from io import TextIOWrapper

from rich.console import Console

ERR = Console(stderr=True, highlight=False)
OUT = Console(highlight=False)


def use_utf8() -> None:
    """Print umlauts in any locale; what cannot be encoded is replaced, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def printable(text: str) -> str:
    """Text of a document without control characters: a PDF must not steer the terminal."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def one_line(text: str) -> str:
    return " ".join(printable(text).split())


def complain(message: str) -> None:
    """One line on standard error."""
    sys.stderr.write(f"rabbithole: {one_line(message)}\n")


def print_json(data: object) -> None:
    """One JSON document on standard output; ``data`` holds plain values."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")

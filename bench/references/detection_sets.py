"""The annotated sets that reference detection is measured on, and how a set's text is read before comparing."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))
LAW_LABELS = frozenset({"GS", "VO", "EUN"})


@dataclass(frozen=True)
class Gold:
    """One annotated mention: span in the row's text, label or link target."""

    start: int
    end: int
    text: str
    label: str


@dataclass(frozen=True)
class Row:
    """One annotated text. ``context`` is the place it stands in, where the set says so."""

    key: str
    text: str
    golds: tuple[Gold, ...]
    context: str = ""


def _rows(name: str) -> Iterator[dict[str, object]]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


# LER is tokenised: "( EG )", "2008 / 94 / EG", "Nr. 1 ,". The rule: no space before closing punctuation, none after an
# opening bracket, none around a slash between digits or letters; "<" and ">" stay. Spans are carried over.
_GLUE = re.compile(r" (?=[,.;:!?)\]])|(?<=[(\[]) |(?<=\w) (?=/ \w)|(?<=\w /) (?=\w)|(?<=\w/) (?=\w)")


def detokenise(text: str) -> tuple[str, list[int]]:
    """The text as printed, and for each offset of the tokenised text its offset in the result."""
    offsets: list[int] = []
    kept: list[str] = []
    dropped = {match.start() for match in _GLUE.finditer(text)}
    for index, char in enumerate(text):
        offsets.append(len(kept))
        if index not in dropped:
            kept.append(char)
    offsets.append(len(kept))
    return "".join(kept), offsets


def strip(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave white space and dangling punctuation at the ends of a span out of the comparison."""
    while start < end and text[start] in " \n\t,;:-–":
        start += 1
    while start < end and text[end - 1] in " \n\t,;:-–.":
        end -= 1
    return start, end


def ler() -> list[Row]:
    """German court decisions, text as printed."""
    rows = []
    for raw in _rows("refs/ler.jsonl"):
        text, offsets = detokenise(str(raw["text"]))
        golds = []
        for ref in raw["refs"]:  # type: ignore[attr-defined]
            start, end = offsets[ref["start"]], offsets[ref["end"]]
            golds.append(Gold(start, end, text[start:end], ref["label"]))
        rows.append(Row(str(raw["id"]), text, tuple(golds)))
    return rows


def uslm() -> list[Row]:
    """United States statutes and regulations with their links."""
    return [
        Row(
            f"{raw['doc']}#{index}",
            str(raw["text"]),
            tuple(Gold(ref["start"], ref["end"], ref["text"], ref["href"]) for ref in raw["refs"]),  # type: ignore[attr-defined]
            str(raw["context"] or ""),
        )
        for index, raw in enumerate(_rows("refs/uslm.jsonl"))
    ]


def norms() -> str:
    """The text of German laws, one section after the other."""
    return "\n".join(str(raw["text"]) for raw in _rows("gesetze/norms.jsonl"))


def callouts() -> list[Row]:
    """Papers with citation callouts; the label says which style a callout has."""
    return [
        Row(
            f"{raw['doc']}#{index}",
            str(raw["text"]),
            tuple(Gold(ref["start"], ref["end"], ref["text"], callout_style(ref["text"])) for ref in raw["refs"]),  # type: ignore[attr-defined]
        )
        for index, raw in enumerate(_rows("refs/callouts.jsonl"))
    ]


def callout_style(text: str) -> str:
    """bracketed "[3]", author-year "(Kim, 2008)", parenthesised "(23)", superscript "23" (plain digits in this set)."""
    stripped = text.strip()
    if stripped.startswith("["):
        return "bracketed"
    if re.search(r"[^\W\d_]{2,}", stripped):
        return "author-year"
    return "parenthesised" if stripped.startswith("(") else "superscript"

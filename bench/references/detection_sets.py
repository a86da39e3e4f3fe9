"""The annotated sets for reference detection, and how their texts are normalised before comparing."""

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
    """One annotated mention: its span in the row's text, and its label or link target."""

    start: int
    end: int
    text: str
    label: str


@dataclass(frozen=True)
class Row:
    """One annotated text. ``context`` is the place it comes from, if the set gives it."""

    key: str
    text: str
    golds: tuple[Gold, ...]
    context: str = ""


def _rows(name: str) -> Iterator[dict[str, object]]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


# LER is tokenised: "( EG )", "2008 / 94 / EG", "Nr. 1 ,". Removed are the spaces before closing punctuation, after an
# opening bracket and around a slash between digits or letters; "<" and ">" stay. Spans are adjusted.
_GLUE = re.compile(r" (?=[,.;:!?)\]])|(?<=[(\[]) |(?<=\w) (?=/ \w)|(?<=\w /) (?=\w)|(?<=\w/) (?=\w)")


def detokenise(text: str) -> tuple[str, list[int]]:
    """Return the text as printed, and for each offset of the tokenised text its offset in the result."""
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
    """Return a span without white space and punctuation at its ends."""
    while start < end and text[start] in " \n\t,;:-–":
        start += 1
    while start < end and text[end - 1] in " \n\t,;:-–.":
        end -= 1
    return start, end


def ler() -> list[Row]:
    """Return German court decisions, with the text as printed."""
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
    """Return United States statutes and regulations with their links."""
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
    """Return the text of German laws, one section after the other."""
    return "\n".join(str(raw["text"]) for raw in _rows("gesetze/norms.jsonl"))


def callouts() -> list[Row]:
    """Return papers with citation call-outs; the label is the style of the call-out."""
    return [
        Row(
            f"{raw['doc']}#{index}",
            str(raw["text"]),
            tuple(Gold(ref["start"], ref["end"], ref["text"], callout_style(ref["text"])) for ref in raw["refs"]),  # type: ignore[attr-defined]
        )
        for index, raw in enumerate(_rows("refs/callouts.jsonl"))
    ]


def callout_style(text: str) -> str:
    """Return bracketed "[3]", author-year "(Kim, 2008)", parenthesised "(23)" or superscript "23" (plain here)."""
    stripped = text.strip()
    if stripped.startswith("["):
        return "bracketed"
    if re.search(r"[^\W\d_]{2,}", stripped):
        return "author-year"
    return "parenthesised" if stripped.startswith("(") else "superscript"

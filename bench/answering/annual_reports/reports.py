"""Reads the reports from ``data/``: every figure is there as it is printed, and the filling text is drawn from a bank.

A report is a list of blocks, each a kind and its content: headings (``h1`` to ``h3``), paragraphs (``p``), tables and
page breaks. ``risks`` stands for paragraphs about a topic, of which real reports have dozens of pages.

A row of a table is its label, its figures and flags: ``i``, ``i1`` and ``i2`` indent it, ``t`` draws a rule above and
``d`` a double one below, ``b`` is bold, ``h`` a heading; ``$`` and ``%`` stand beside the figures; ``n0``, ``p`` and
``e`` are no, one and two decimals.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
NAMES = ("calderwood", "larkfield", "kessler")
_MIDDLE = 4  # sentences between the opening of a paragraph and its end
Block = list[Any]


@dataclass(frozen=True)
class Report:
    """A report; ``style`` says who sets it, ``seed`` which sentences fill it, ``css`` is for the printed ones."""

    file: str
    title: str
    style: str
    language: str
    seed: int
    blocks: list[Block]
    head: str = ""
    css: str = ""


def reports() -> tuple[Report, ...]:
    return tuple(_read(name) for name in NAMES)


def _read(name: str) -> Report:
    style = DATA / f"{name}.css"
    css = style.read_text("utf8") if style.exists() else ""
    return Report(**json.loads((DATA / f"{name}.json").read_text("utf8")), css=css)


def filled(report: Report) -> Iterator[Block]:
    """Yield the blocks with the filling text written out, the same at every call."""
    rng = random.Random(report.seed)
    bank = json.loads((DATA / "sentences.json").read_text("utf8"))[report.language]
    for block in report.blocks:
        if block[0] == "risks":
            _, topic, count = block
            yield from (["p", _paragraph(rng, bank, topic)] for _ in range(count))
        else:
            yield block


def _paragraph(rng: random.Random, bank: dict[str, list[str]], topic: str) -> str:
    opening = rng.choice(bank["open"]).format(t=topic, T=topic[0].upper() + topic[1:])
    sentences = [opening, *rng.sample(bank["middle"], _MIDDLE)]
    if bank["end"]:
        sentences.append(rng.choice(bank["end"]))
    return " ".join(sentences)

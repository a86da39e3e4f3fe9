"""Questions with known passages, for the benchmarks of embeddings and of fusion."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))
LONGEST = 1500


@dataclass(frozen=True)
class RetrievalSet:
    """``gold[i]`` are the positions in ``passages`` that answer ``questions[i]``."""

    name: str
    language: str
    passages: tuple[str, ...]
    questions: tuple[str, ...]
    gold: tuple[frozenset[int], ...]


def laws(limit: int = 0, questions: int = 0) -> RetrievalSet:
    """German laws: a section's title must find the section's text (title left out; several may share a title).

    About ``limit`` sections (0: all), and as many ``questions`` spread over them (0: one a section).
    """
    rows = [
        row
        for row in _rows(DATA / "gesetze" / "norms.jsonl")
        if row["titel"] and len(row["text"]) > 100 and row["enbez"].startswith("§")
    ]
    step = max(len(rows) // limit, 1) if limit else 1
    rows = rows[::step]
    titles = [row["titel"].strip() for row in rows]
    asked = titles[:: max(len(titles) // questions, 1)] if questions else titles
    gold = tuple(frozenset(i for i, other in enumerate(titles) if other == title) for title in asked)
    return RetrievalSet("gesetze", "de", tuple(row["text"][:LONGEST] for row in rows), tuple(asked), gold)


def multihop(name: str, split: str = "dev") -> RetrievalSet:
    """One of musique, hotpotqa, 2wiki: the gold passages of a question, all of its hops."""
    folder = DATA / "multihop" / name
    passages = _rows(folder / "corpus.jsonl")
    place = {row["pid"]: index for index, row in enumerate(passages)}
    questions = [row for row in _rows(folder / "questions.jsonl") if row["split"] == split or name == "2wiki"]
    return RetrievalSet(
        name,
        "en",
        tuple(f"{row['title']}\n{row['text']}"[:LONGEST] for row in passages),
        tuple(row["question"] for row in questions),
        tuple(frozenset(place[pid] for pid in row["gold_pids"]) for row in questions),
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]

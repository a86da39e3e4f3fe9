"""Question sets: passages, questions with the passages that answer them.

Folder format: ``corpus.jsonl`` ({pid, title, text}) and ``questions.jsonl`` ({id, question, answer, aliases, gold_pids,
decomposition?}). The sample's ``gold.json`` and files of the same shape name sections of documents instead.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ...kb.errors import UsageError
from ...kb.models import Model

MULTIHOP = ("musique", "hotpotqa", "2wiki")


class PassageRow(Model):
    pid: str
    title: str
    text: str


class Example(Model):
    """One question; ``gold`` holds passage ids, in the order of the hops where the set says it."""

    id: str
    question: str
    answer: str
    aliases: tuple[str, ...] = ()
    gold: tuple[str, ...]


class Dataset(Model):
    name: str
    passages: tuple[PassageRow, ...]
    examples: tuple[Example, ...]


def data_folder() -> Path:
    """Where benchmark data lies: ``RABBITHOLE_BENCH_DATA``, else ``../shared/data``."""
    return Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))


def load(name: str, folder: Path | None = None) -> Dataset:
    """A set by its name or a folder of that format. Raises UsageError naming the file that is missing or wrong."""
    place = folder or (data_folder() / "multihop" / name if name in MULTIHOP else Path(name))
    corpus, questions = place / "corpus.jsonl", place / "questions.jsonl"
    for path in (corpus, questions):
        if not path.is_file():
            raise UsageError(
                f"{path} does not exist; set RABBITHOLE_BENCH_DATA to the folder that holds multihop/{name}, "
                "or name a folder with corpus.jsonl and questions.jsonl."
            )
    passages = tuple(
        PassageRow(pid=str(row["pid"]), title=str(row["title"]), text=str(row["text"])) for row in _rows(corpus)
    )
    return Dataset(name=name, passages=passages, examples=tuple(_example(row, questions) for row in _rows(questions)))


def sample(examples: Sequence[Example], size: int | None, seed: int) -> tuple[Example, ...]:
    """``size`` of the examples, the same for the same seed, in their order; all when ``size`` is None."""
    if size is None or size >= len(examples):
        return tuple(examples)
    chosen = set(random.Random(seed).sample(range(len(examples)), size))
    return tuple(example for index, example in enumerate(examples) if index in chosen)


def _rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise UsageError(f"{path}, line {number} is not JSON: {error}.") from error
    return rows


def _example(row: dict[str, Any], path: Path) -> Example:
    try:
        hops = [step["gold_pid"] for step in row.get("decomposition") or () if step.get("gold_pid")]
        gold = tuple(dict.fromkeys([*hops, *row["gold_pids"]]))
        return Example(
            id=str(row["id"]),
            question=row["question"],
            answer=row.get("answer") or "",
            aliases=tuple(row.get("aliases", ())),
            gold=gold,
        )
    except (KeyError, TypeError, ValidationError) as error:
        raise UsageError(
            f"{path}: the question {row.get('id', '?')!r} lacks a field or has a wrong one: {error}."
        ) from error

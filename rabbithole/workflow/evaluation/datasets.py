"""Question sets: questions with the passages, or the places in documents, that answer them.

A folder contains ``corpus.jsonl`` ({pid, title, text}) and ``questions.jsonl`` ({id, question, answer, aliases,
gold_pids, decomposition?}). The sample's ``gold.json`` and files of the same form name sections of documents instead:
{"questions": [{id, language, question, chain: [{file, section, quote}]}]}.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Model

MULTIHOP = ("musique", "hotpotqa", "2wiki")
SAMPLE = "sample"
SAMPLE_FOLDER = Path(__file__).parents[2] / "kb" / "sample"


class PassageRow(Model):
    pid: str
    title: str
    text: str


class PlaceRow(Model):
    """A section of a document, by number (empty: the whole document), and a quotation from it."""

    file: str
    section: str = ""
    quote: str = ""


class Example(Model):
    """One question and where its answer is: ``gold`` holds passage ids, in hop order if known; else ``places`` does."""

    id: str
    question: str
    answer: str
    aliases: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    places: tuple[PlaceRow, ...] = ()
    language: Literal["de", "en"] = "en"


class Dataset(Model):
    """A question set. ``collections`` are those searched; ``passages`` is empty if the questions are on documents."""

    name: str
    passages: tuple[PassageRow, ...] = ()
    examples: tuple[Example, ...]
    collections: tuple[str, ...] = ()


def data_folder() -> Path:
    """Return the folder of benchmark data: ``RABBITHOLE_BENCH_DATA``, else ``../shared/data``."""
    return Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))


def load(name: str, folder: Path | None = None) -> Dataset:
    """Load a set by its name, or from a folder or file of these formats. Raises UsageError naming what is wrong."""
    if name == SAMPLE:
        return _of_places(SAMPLE_FOLDER / "gold.json", SAMPLE, (SAMPLE,))
    if name.endswith(".json"):
        return _of_places(Path(name), Path(name).stem, ())
    place = folder or (data_folder() / "multihop" / name if name in MULTIHOP else Path(name))
    corpus, questions = place / "corpus.jsonl", place / "questions.jsonl"
    for path in (corpus, questions):
        if not path.is_file():
            raise UsageError(
                f"{path} does not exist; set RABBITHOLE_BENCH_DATA to the folder that contains multihop/{name}, "
                "or give a folder with corpus.jsonl and questions.jsonl."
            )
    passages = tuple(
        PassageRow(pid=str(row["pid"]), title=str(row["title"]), text=str(row["text"])) for row in _rows(corpus)
    )
    examples = tuple(_example(row, questions) for row in _rows(questions))
    short = Path(name).name
    return Dataset(name=short, passages=passages, examples=examples, collections=(short,))


def _of_places(path: Path, name: str, collections: tuple[str, ...]) -> Dataset:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["questions"]
        examples = tuple(
            Example(
                id=str(row["id"]),
                question=row["question"],
                answer=row["chain"][0].get("quote", ""),
                aliases=tuple(place["quote"] for place in row["chain"][1:] if place.get("quote")),
                places=tuple(
                    PlaceRow(file=one["file"], section=one.get("section") or "", quote=one.get("quote") or "")
                    for one in row["chain"]
                ),
                language=row.get("language", "en"),
            )
            for row in rows
            if row["chain"]
        )
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError, ValidationError) as error:
        raise UsageError(f"{path} is not a set of questions with chains of places: {error}.") from error
    return Dataset(name=name, examples=examples, collections=collections)


def sample(examples: Sequence[Example], size: int | None, seed: int) -> tuple[Example, ...]:
    """Return a random sample of ``size`` examples in their order, reproducible by ``seed``; all if ``size`` is None."""
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
            f"{path}: the question {row.get('id', '?')!r} has a missing or invalid field: {error}."
        ) from error

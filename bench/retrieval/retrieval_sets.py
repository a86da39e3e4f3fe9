"""Questions with known passages for the benchmarks of embeddings and fusion."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.sample.build import sample_folder
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.records import embedding_text

SAMPLE = Path(__file__).resolve().parents[2] / "kb" / "sample"
PDFS = sample_folder() / "pdf"
HASHED = KbSettings(embedding_model="hash")
DATA = Path(os.environ.get("RABBITHOLE_BENCH_DATA", "../shared/data"))
LONGEST = 1500


@dataclass(frozen=True)
class RetrievalSet:
    """A set of questions; ``gold[i]`` are the positions in ``passages`` that answer ``questions[i]``."""

    name: str
    language: str
    passages: tuple[str, ...]
    questions: tuple[str, ...]
    gold: tuple[frozenset[int], ...]


def laws(limit: int = 0, questions: int = 0) -> RetrievalSet:
    """Return German laws: a section's title must find its text (without the title; several may share a title).

    About ``limit`` sections (0: all), and about as many ``questions``, spread over them (0: one for each section).
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
    """Return musique, hotpotqa or 2wiki: the gold passages of a question are all of its hops.

    ``split`` '' means all questions.
    """
    folder = DATA / "multihop" / name
    passages = _rows(folder / "corpus.jsonl")
    place = {row["pid"]: index for index, row in enumerate(passages)}
    rows = _rows(folder / "questions.jsonl")
    questions = [row for row in rows if row["split"] == split or not split or name == "2wiki"]
    return RetrievalSet(
        name,
        "en",
        tuple(f"{row['title']}\n{row['text']}"[:LONGEST] for row in passages),
        tuple(row["question"] for row in questions),
        tuple(frozenset(place[pid] for pid in row["gold_pids"]) for row in questions),
    )


def sample() -> list[RetrievalSet]:
    """Return the sample collection by language; each question must find the first place of its chain."""
    questions = json.loads((SAMPLE / "gold.json").read_text(encoding="utf-8"))["questions"]
    sets = []
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(folder, HASHED, create=True) as kb:
        kb.ingest([PDFS], "sample")
        chunks = [(document, chunk) for document in kb.documents() for chunk in kb.chunks(document.id)]
        for language in ("de", "en"):
            passages = [(d, c) for d, c in chunks if d.language == language]
            asked = [question for question in questions if question["language"] == language]
            gold = []
            for question in asked:
                place = question["chain"][0]
                document = next(d for d in kb.documents() if d.file == place["file"])
                section = kb.section(document.id, place["section"])
                ids = {chunk.id for chunk in kb.chunks(document.id, section.id)} if section else set()
                gold.append(frozenset(i for i, (_, chunk) in enumerate(passages) if chunk.id in ids))
            texts = tuple(embedding_text(document.title, chunk) for document, chunk in passages)
            kept = [i for i, places in enumerate(gold) if places]
            sets.append(
                RetrievalSet(
                    f"sample-{language}",
                    language,
                    texts,
                    tuple(asked[i]["question"] for i in kept),
                    tuple(gold[i] for i in kept),
                )
            )
    return sets


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]

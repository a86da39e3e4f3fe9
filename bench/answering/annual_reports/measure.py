"""Asks the questions and scores the hits of the search and the answers.

A report answers a question by its figures, so an answer is right if it shows every figure or word it must have.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.response.render import response_markdown

from .reports import DATA

FIRST = 4  # hits that a reader looks at
VERDICTS = ("right", "partly", "not found", "misleading")


@dataclass(frozen=True)
class Question:
    """A question; ``pages`` count from 0, ``row`` says where the answer stands there, ``must`` what it has to show.

    ``everyday`` marks those in other words than the report's, ``kind`` is a kind of FinanceBench. One of the
    alternatives in each group of ``must`` has to stand in the answer.
    """

    id: str
    question: str
    language: Literal["de", "en"]
    kind: str
    everyday: bool
    file: str
    pages: list[int]
    row: str
    must: list[list[str]]
    answerable: bool


@dataclass(frozen=True)
class Scored:
    question: Question
    found: bool
    verdict: str
    probability: float
    missing: list[list[str]]


def questions() -> list[Question]:
    return [Question(**row) for row in json.loads((DATA / "questions.json").read_text("utf8"))["questions"]]


def scored(kb: KnowledgeBase, asked: Question) -> Scored:
    response = respond(kb, understand(kb, asked.question, asked.language))
    shown = response_markdown(response, asked.language)
    flat = re.sub(r"\s+", " ", re.sub(r"[*_`]", "", shown)).lower()
    missing = [group for group in asked.must if not any(one.lower() in flat for one in group)]
    return Scored(asked, found(kb, asked), verdict(asked, missing, response.status), response.probability, missing)


def verdict(asked: Question, missing: list[list[str]], status: str) -> str:
    """Return one of ``VERDICTS``; for a question without an answer, "right" if the answer says that there is none."""
    if not asked.answerable:
        return "right" if status == "none" else "misleading" if status == "answered" else "partly"
    if not missing:
        return "right"
    if len(missing) < len(asked.must):
        return "partly"
    return "misleading" if status == "answered" else "not found"


def found(kb: KnowledgeBase, asked: Question) -> bool:
    """Return whether one of the first hits of the search lies on a page with the answer."""
    for hit in kb.search(asked.question, top_k=FIRST).hits:
        chunk = hit.chunk
        last = kb.page_of(chunk.document, max(chunk.start, chunk.end - 1))[0]
        if hit.file.endswith(asked.file) and set(range(chunk.page, last + 1)) & set(asked.pages):
            return True
    return False


def line(one: Scored) -> str:
    missing = "; ".join(" or ".join(group) for group in one.missing)
    told = f"{one.question.id}  {one.verdict:10}  {one.probability:.2f}  {'hit' if one.found else '   '}"
    return f"{told}  {one.question.question}" + (f"  [missing: {missing}]" if missing else "")


def summary(rows: list[Scored]) -> str:
    answerable = [row for row in rows if row.question.answerable]
    unanswerable = [row for row in rows if not row.question.answerable]
    count = Counter(row.verdict for row in answerable)
    said = sum(row.verdict == "right" for row in unanswerable)
    return (
        f"gold page among the first {FIRST} hits {sum(row.found for row in answerable)} of {len(answerable)}\n"
        + "  ".join(f"{one} {count[one]}" for one in VERDICTS)
        + f"  of {len(answerable)}\nunanswerable said so {said} of {len(unanswerable)}"
    )

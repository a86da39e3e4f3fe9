"""Scores answers on real PDFs with hand-made gold, without a whole run of research: seconds, not minutes.

An answer is right if it has every 'must' and, if there is only one, quotes or cites a gold place. It is misleading if
it is wrong but claims to be an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from rabbithole.steps.response.render import response_markdown

from .selection_sets import Asked, plain

_MARKS = re.compile(r"\[\[?\w+\]?\](\[\w+\])?(\([^)]*\))?|[*_>`#]")


@dataclass(frozen=True)
class Scored:
    id: str
    verdict: str
    misleading: bool
    status: str
    probability: float
    musts: tuple[bool, ...]
    words: int
    text: str


def says(text: str, musts: tuple[tuple[str, ...], ...]) -> tuple[bool, ...]:
    flat, lower = plain(text), text.lower()
    return tuple(any(one.lower() in lower or plain(one) in flat for one in group) for group in musts)


def score(asked: Asked, text: str, status: str, pages: set[tuple[str, int]], probability: float = 0.0) -> Scored:
    """Score an answer; ``pages`` are the (document, page index) pairs it cites."""
    words = re.findall(r"\w+", text.lower())
    musts = says(text, asked.musts)
    flat = plain(text)
    place = any(
        plain(one["quote"])[:50] in flat or (one["document"], one["page"]) in pages
        or len(set(quoted := re.findall(r"\w+", one["quote"].lower())) & set(words)) >= 0.75 * len(set(quoted))
        for one in asked.places
    )  # fmt: skip
    if asked.answerable:
        verdict = "right" if all(musts) and (place or len(musts) > 1) else "partly" if any(musts) or place else "wrong"
        verdict = "not found" if status == "none" and verdict == "wrong" else verdict
    else:
        verdict = "right" if status == "none" else "wrong"
    misleading = verdict == "wrong" and status == "answered"
    return Scored(asked.id, verdict, misleading, status, probability, musts, len(words), text)


def answered(kb: KnowledgeBase, asked: Asked) -> Scored:
    """Return the score of the answer a report would begin with, from search and selection alone."""
    response = respond(kb, understand(kb, asked.text, "de" if asked.language == "de" else "en"))
    text = _MARKS.sub("", response_markdown(response, asked.language))
    pages = {(one.evidence.document, one.page) for block in response.blocks for one in (*block.passages, *block.others)}
    return score(asked, text, response.status, pages, response.probability)


def hits(kb: KnowledgeBase, asked: Asked, count: int) -> Scored:
    """Return the score of the first ``count`` hits, taken whole as the answer."""
    found = kb.search(asked.text, top_k=count).hits
    text = " ".join(hit.chunk.text for hit in found)
    return score(asked, text, "answered", {(hit.chunk.document, hit.chunk.page) for hit in found})


def summary(rows: list[Scored], asked: list[Asked]) -> str:
    count = len(rows)
    unanswerable = [row for row, one in zip(rows, asked, strict=True) if not one.answerable]
    said = sum(row.verdict == "right" for row in unanswerable)
    middle = sorted(row.words for row in rows)[count // 2]
    right, partly = (sum(row.verdict == one for row in rows) / count for one in ("right", "partly"))
    misleading = sum(row.misleading for row in rows) / count
    return (
        f"right {right:.2f}  partly {partly:.2f}  misleading {misleading:.2f}  said {said}/{len(unanswerable)}  "
        f"words {middle}"
    )

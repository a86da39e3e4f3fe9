"""Combine a model's answer with the chosen passages: append them to it, and check its sentences against them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from rabbithole.steps.phases.attribute import Attributed
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import Reasoner, SupportClaim, WriteRequest

from .markdown import answer_section

LEAST_SUPPORT = 0.4
"""A sentence of the answer whose support by the passages is below this is marked."""


async def with_passages(parts: AsyncIterator[str], request: WriteRequest) -> AsyncIterator[str]:
    """Yield a model's report with the chosen passages inserted after its answer, before its second section."""
    text, placed = "", not request.answer.strip()
    async for part in parts:
        second = text.count("\n## ") + text.startswith("## ") >= 1 and part.lstrip().startswith("## ")
        if second and not placed:
            placed = True
            if request.answer.strip() not in text:
                yield f"{request.answer.strip()}\n\n"
        text += part
        yield part
    if not placed and request.answer.strip() not in text:
        yield f"\n\n{request.answer.strip()}\n"
    if request.beside.strip() and request.beside.strip() not in text:
        yield f"\n\n{request.beside.strip()}\n"


async def checked(reasoner: Reasoner, attributed: Attributed, passages: Sequence[str], language: str) -> Attributed:
    """Return the report with a mark after each sentence of the answer that the chosen passages do not support."""
    answer = answer_section(attributed.markdown)
    said = [claim for claim in attributed.claims if not claim.verbatim and claim.text in answer]
    if not said or not passages:
        return attributed
    source = "\n".join(passages)
    scores = await reasoner.support([SupportClaim(sentence=claim.text, source=source) for claim in said])
    mark = phrase(language, "report.mark.unsupported")
    text = attributed.markdown
    for claim, score in zip(said, scores, strict=True):
        if score < LEAST_SUPPORT:
            text = text.replace(claim.text, f"{claim.text}{mark}", 1)
    return attributed.model_copy(update={"markdown": text})

"""Write a report without a model: the passages chosen as the answer, their qualifications, and contradictions.

All text is quoted from documents or a fixed phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import WriteRequest

from .wording import flat, heading

_KEY = re.compile(r"\s*\[e[0-9a-f]{6,16}\]")


def write_report(request: WriteRequest) -> Iterator[str]:
    """Yield the report in pieces of Markdown, each ending with a newline."""
    language = request.anchor.language
    yield f"# {heading(request.asked or request.anchor.query)}\n\n"
    yield f"## {phrase(language, 'reasoning.answer')}\n\n"
    yield f"{request.answer.strip() or phrase(language, 'reasoning.answer_none')}\n\n"
    if request.beside.strip():
        yield f"{request.beside.strip()}\n\n"
    if request.contradictions:
        yield f"## {phrase(language, 'response.differences')}\n\n"
        once = {_KEY.sub("", flat(text)).strip(): flat(text) for text in reversed(request.contradictions)}
        yield "".join(f"- {text}\n" for text in reversed(once.values())) + "\n"

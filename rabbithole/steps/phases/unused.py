"""Evidence that was kept but not cited, listed in the appendix so that readers can check what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rabbithole.steps.models import Citation, Evidence, Quote
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.extractive.sentence_scores import is_quotable
from rabbithole.steps.reasoning.extractive.wording import flat, inner_quotes, place
from rabbithole.steps.reasoning.text.prompt_injection import addresses_model

from .relevance import weight

LEAST_WEIGHT = 0.3  # evidence of less weight is too far from the question
MOST = 5
LONGEST_QUOTE = 400  # characters; a longer quotation is used only if there is no other
Place = tuple[str, str | int]


class Left(NamedTuple):
    """Evidence from a place the report does not cite, and the quotation to show."""

    evidence: Evidence
    quote: Quote


def unused(evidence: Sequence[Evidence], citations: Sequence[Citation]) -> tuple[Left, ...]:
    """Return the best quotable evidence of each place the report does not cite, by descending weight."""
    cited = {(one.document, one.section or one.page) for one in citations}
    best: dict[Place, Left] = {}
    for item in sorted(evidence, key=lambda one: (-weight(one), one.document, one.start, one.key)):
        spot = (item.document, item.section or item.page)
        if item.external or spot in cited or spot in best or weight(item) < LEAST_WEIGHT:
            continue
        quote = _quote(item)
        if quote is not None:
            best[spot] = Left(item, quote)
    return tuple(best.values())


def unused_section(left: Sequence[Left], language: str) -> str:
    """Return this part of the appendix as Markdown with evidence keys; '' if nothing was left out."""
    lines = [
        f"- **{flat(place(item))}:** {_in_quotes(quote.text, language)} [{item.key}]" for item, quote in left[:MOST]
    ]
    if len(left) > MOST:
        lines.append(f"- {phrase(language, 'report.more', count=len(left) - MOST)}")
    if not lines:
        return ""
    title, lead = (phrase(language, f"report.unused.{part}") for part in ("title", "lead"))
    return "\n".join((f"### {title}", "", lead, "", *lines, ""))


def _in_quotes(text: str, language: str) -> str:
    return phrase(language, "reasoning.quote", text=inner_quotes(flat(text), language))


def _quote(item: Evidence) -> Quote | None:
    """Return the first verified, quotable quotation that is short enough, else the shortest one, else None."""
    verified = [one for one in item.quotes if one.verified and is_quotable(one.text) and not addresses_model(one.text)]
    short = (one for one in verified if len(one.text) <= LONGEST_QUOTE)
    return next(short, min(verified, key=lambda one: len(one.text), default=None))

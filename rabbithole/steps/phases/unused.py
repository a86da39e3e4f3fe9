"""Evidence that was kept but not cited, listed in the appendix so that readers can check what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rabbithole.steps.models import Evidence, Quote
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.extractive.sentence_scores import is_quotable
from rabbithole.steps.reasoning.extractive.wording import flat, inner_quotes, place
from rabbithole.steps.reasoning.text.markdown_tables import loose_bars, one_line
from rabbithole.steps.reasoning.text.prompt_injection import addresses_model
from rabbithole.steps.reasoning.text.similarity import coverage
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.report_models import Citation

from .bearing import SHARE
from .relevance import weight

LEAST_WEIGHT = 0.3  # evidence of less weight is too far from the question
MOST = 5
LONGEST_QUOTE = 400  # characters; a longer quotation is used only if there is no other
Place = tuple[str, str | int]


class Left(NamedTuple):
    """Evidence from a place the report does not cite, and the quotation to show."""

    evidence: Evidence
    quote: Quote


def unused(
    evidence: Sequence[Evidence],
    citations: Sequence[Citation],
    asked: Mapping[str, float] | None = None,
    language: str = "",
) -> tuple[Left, ...]:
    """Return the best quotable evidence of each place the report does not cite, by descending weight.

    ``asked`` are the question's stems and their weights: of each place the quotation with most of them is taken, and
    places whose quotation has less than half as many as the best one are left out.
    """
    cited = {(one.document, one.section or one.page) for one in citations}
    best: dict[Place, Left] = {}
    for item in sorted(evidence, key=lambda one: (-weight(one), one.document, one.start, one.key)):
        spot = (item.document, item.section or item.page)
        if item.external or spot in cited or spot in best or weight(item) < LEAST_WEIGHT:
            continue
        quote = _quote(item, asked or {}, language)
        if quote is not None:
            best[spot] = Left(item, quote)
    shares = [_share(one.quote, asked or {}, language) for one in best.values()]
    least = SHARE * max(shares, default=0.0)
    return tuple(one for one, share in zip(best.values(), shares, strict=True) if share >= least)


def _share(quote: Quote, asked: Mapping[str, float], language: str) -> float:
    return coverage(asked, stem_set(quote.text, language)) if asked else 0.0


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
    """Return words in quotation marks; rows of a table are on one line, without the bars around and behind them."""
    line = one_line(text)
    left, right = loose_bars(line)
    return phrase(language, "reasoning.quote", text=inner_quotes(flat(line[left:right]), language))


def _quote(item: Evidence, asked: Mapping[str, float], language: str) -> Quote | None:
    """Return the verified, quotable quotation nearest to the question if short enough, else the shortest, or None."""
    verified = [one for one in item.quotes if one.verified and is_quotable(one.text) and not addresses_model(one.text)]
    short = [one for one in verified if len(one.text) <= LONGEST_QUOTE]
    near = max(short, key=lambda one: _share(one, asked, language), default=None)
    return near or min(verified, key=lambda one: len(one.text), default=None)

"""Choose what goes into a prompt when not everything fits: the lowest tier is left out first, and counted."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.models import Model
from rabbithole.steps.models import TIER_WEIGHTS, Tier
from rabbithole.steps.reasoning.client.tokens import TokenCounter
from rabbithole.steps.reasoning.text.sentences import sentences

_SEPARATOR = "\n\n"
_LEAST_CUT = 200  # characters; a passage is not cut to less than this


class Piece(Model):
    """Material for a prompt. The pieces with the highest ``rank`` are left out first."""

    text: str
    rank: float = 0.0


class Fitted(Model):
    """The material that fits, in its original order, and how many pieces were dropped or shortened."""

    text: str
    kept: tuple[int, ...]
    dropped: int = 0
    shortened: int = 0


def rank_of(tier: Tier, score: float, depth: int) -> float:
    """Return the rank of material (lower is better): by tier, then score, then depth."""
    return (1.0 - TIER_WEIGHTS[tier]) * 10 + (1.0 - score) + 0.1 * depth


def fit(pieces: Sequence[Piece], room: int, counter: TokenCounter) -> Fitted:
    """Fill ``room`` tokens by rank. The first piece that does not fit is cut at the end of a sentence."""
    order = sorted(range(len(pieces)), key=lambda position: (pieces[position].rank, position))
    texts: dict[int, str] = {}
    left, shortened = counter.characters(room), 0
    for position in order:
        text = pieces[position].text
        if len(text) + len(_SEPARATOR) <= left:
            texts[position] = text
        elif not shortened and left >= _LEAST_CUT and (cut := _cut(text, left - len(_SEPARATOR))):
            texts[position] = cut
            shortened = 1
        else:
            continue
        left -= len(texts[position]) + len(_SEPARATOR)
    kept = tuple(sorted(texts))
    return Fitted(
        text=_SEPARATOR.join(texts[position] for position in kept),
        kept=kept,
        dropped=len(pieces) - len(kept),
        shortened=shortened,
    )


def _cut(text: str, limit: int) -> str:
    """Return the first whole sentences of a text that fit, and its last line, which closes the fence."""
    body, _, last = text.rpartition("\n")
    end = 0
    for sentence in sentences(body):
        if sentence.end + len(last) + 6 > limit:
            break
        end = sentence.end
    return f"{body[:end]} […]\n{last}" if end >= _LEAST_CUT // 2 else ""

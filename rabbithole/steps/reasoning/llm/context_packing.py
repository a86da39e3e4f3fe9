"""What goes into a prompt when not everything fits: the lowest tier is left out first, and it is said."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.models import Model
from rabbithole.steps.models import TIER_WEIGHTS, Tier
from rabbithole.steps.reasoning.client.tokens import TokenCounter
from rabbithole.steps.reasoning.text.sentences import sentences

_SEPARATOR = "\n\n"
_LEAST_CUT = 200  # characters; a shorter rest of a passage says nothing


class Piece(Model):
    """Material for a prompt. Lower ``rank`` stays longer."""

    text: str
    rank: float = 0.0


class Fitted(Model):
    """The material that fits, in its original order, and how much does not."""

    text: str
    kept: tuple[int, ...]
    dropped: int = 0
    shortened: int = 0


def rank_of(tier: Tier, score: float, depth: int) -> float:
    """Where material stands in the queue: tier first, then score, then nearness."""
    return (1.0 - TIER_WEIGHTS[tier]) * 10 + (1.0 - score) + 0.1 * depth


def fit(pieces: Sequence[Piece], room: int, counter: TokenCounter) -> Fitted:
    """Fill ``room`` tokens by rank. The first piece that does not fit whole is cut at a sentence's end."""
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
    """The whole sentences at a text's beginning that fit; its last line stays, because it closes the fence."""
    body, _, last = text.rpartition("\n")
    end = 0
    for sentence in sentences(body):
        if sentence.end + len(last) + 6 > limit:
            break
        end = sentence.end
    return f"{body[:end]} […]\n{last}" if end >= _LEAST_CUT // 2 else ""

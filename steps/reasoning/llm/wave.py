"""A wave of references: rules first, then one call for the most promising of the rest."""

from __future__ import annotations

from collections.abc import Sequence

from ...models import Anchor, Todo
from ...phrases import phrase
from ..extractive import ExtractiveReasoner
from ..extractive.gate import by_rule, promise
from ..protocol import GateCandidate, GateDecision
from . import dig
from .fallback import or_else
from .talk import Talk

NOT_WORTH_ASKING = 3  # open candidates: reading them costs no more than asking whether to
ASKED_A_WAVE = 12  # candidates, the most promising


async def judge(
    talk: Talk, extractive: ExtractiveReasoner, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]
) -> tuple[GateDecision, ...]:
    """A decision for each candidate, in order. What the model leaves out is decided without it."""
    decided = {item.id: verdict for item in candidates if (verdict := by_rule(anchor, item)) is not None}
    open_ones = [item for item in candidates if item.id not in decided]
    best = sorted(open_ones, key=lambda item: -promise(anchor, item))[:ASKED_A_WAVE]
    shown = [item for item in open_ones if item in best]

    async def without() -> tuple[GateDecision, ...]:
        return ()

    if len(shown) > NOT_WORTH_ASKING:
        asked = dig.gate(talk, anchor, todo, shown)
        decided |= {item.id: item for item in await or_else(talk, "gate", anchor.language, asked, without)}
    left = [item for item in shown if item.id not in decided]
    decided |= {item.id: item for item in await extractive.gate(anchor, todo, left)} if left else {}
    reason = phrase(anchor.language, "reasoning.skip_others")
    return tuple(decided.get(item.id) or GateDecision(id=item.id, follow=False, reason=reason) for item in candidates)

"""Gate a wave of references: first by rules, then in one call for the most promising of the rest."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.client.fallback import or_this
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.extractive.gate import by_rule, promise
from rabbithole.steps.reasoning.protocol import GateCandidate, GateDecision

from . import dig
from .prompt_runner import Talk

NOT_WORTH_ASKING = 3  # up to so many open candidates cost no more to read than to ask about
ASKED_A_WAVE = 10  # most headings to ask about, the most promising ones


async def judge(
    talk: Talk, extractive: ExtractiveReasoner, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]
) -> tuple[GateDecision, ...]:
    """Return a decision for each candidate, in order. Those the model leaves out are decided without it.

    References to one heading (such as the paragraphs of a section) are decided together, by the most promising one.
    """
    decided = {item.id: verdict for item in candidates if (verdict := by_rule(anchor, item)) is not None}
    places: dict[str, list[GateCandidate]] = {}
    for item in candidates:
        if item.id not in decided:
            places.setdefault(item.target or item.id, []).append(item)
    open_ones = [max(items, key=lambda item: promise(anchor, item)) for items in places.values()]
    best = sorted(open_ones, key=lambda item: -promise(anchor, item))[:ASKED_A_WAVE]
    shown = [item for item in open_ones if item in best]

    if len(shown) > NOT_WORTH_ASKING:
        asked = dig.gate(talk, anchor, todo, shown)
        decided |= {item.id: item for item in await or_this(talk, "gate", anchor.language, asked, ())}
    left = [item for item in shown if item.id not in decided]
    decided |= {item.id: item for item in await extractive.gate(anchor, todo, left)} if left else {}
    for items in places.values():
        verdict = next((decided[item.id] for item in items if item.id in decided), None)
        decided |= {item.id: verdict.model_copy(update={"id": item.id}) for item in items if verdict}
    reason = phrase(anchor.language, "reasoning.skip_others")
    return tuple(decided.get(item.id) or GateDecision(id=item.id, follow=False, reason=reason) for item in candidates)

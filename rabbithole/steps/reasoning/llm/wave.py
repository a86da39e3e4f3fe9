"""Gate a wave of references: first by rules, then in one call for the most promising of the rest."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.extractive.gate import by_rule, promise
from rabbithole.steps.reasoning.llm.fallback import or_this
from rabbithole.steps.reasoning.protocol import GateCandidate, GateDecision

from . import schemas
from .context_packing import Piece
from .prompt_delimiters import as_data, one_line
from .prompt_runner import Talk, language_name

NOT_WORTH_ASKING = 3  # up to this many open candidates cost no more to read than to ask about
ASKED_A_WAVE = 10  # maximum number of headings to ask about, the most promising ones
CONTEXT_SHOWN = 120  # characters of context shown for a reference
TARGET_NAMED = 90  # characters of a reference's target in a reason


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
        asked = _asked(talk, anchor, todo, shown)
        decided |= {item.id: item for item in await or_this(talk, "gate", anchor.language, asked, ())}
    left = [item for item in shown if item.id not in decided]
    decided |= {item.id: item for item in await extractive.gate(anchor, todo, left)} if left else {}
    for items in places.values():
        verdict = next((decided[item.id] for item in items if item.id in decided), None)
        decided |= {item.id: verdict.model_copy(update={"id": item.id}) for item in items if verdict}
    reason = phrase(anchor.language, "reasoning.skip_others")
    return tuple(decided.get(item.id) or GateDecision(id=item.id, follow=False, reason=reason) for item in candidates)


def _around(item: GateCandidate) -> str:
    """Return the text around a reference on one line."""
    context = " ".join(as_data(item.context).split())
    middle = max(context.find(" ".join(item.text.split())), 0) + len(item.text) // 2
    start = max(0, min(middle - CONTEXT_SHOWN // 2, len(context) - CONTEXT_SHOWN))
    return context[start : start + CONTEXT_SHOWN]


async def _asked(
    talk: Talk, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]
) -> tuple[GateDecision, ...]:
    """Return decisions for the candidates that fit into the prompt; the caller decides the others.

    The model only names the references related to the task; the reason in the user's language is made from that.
    """
    material = {
        "candidates": [
            Piece(
                text=f"r{number}: {one_line(item.text, 60)} -> {one_line(item.target or 'unknown', 80)} "
                f"| {_around(item)}",
                rank=float(number),
            )
            for number, item in enumerate(candidates, start=1)
        ]
    }
    values = {
        "question": anchor.query,
        "task": todo.text if todo.id else "the question as a whole",
        "language": language_name(anchor.language),
    }
    shape = schemas.gate_of(len(candidates))
    asked = talk.prepare("gate", "gate", values, material, talk.gateway.bound(shape))
    found = await talk.ask_prepared("gate", shape, asked.prompt)
    related = {name.strip().lower() for name in found.related}
    return tuple(
        _decided(anchor, candidates[position], follow=f"r{position + 1}" in related)
        for position in asked.kept["candidates"]
    )


def _decided(anchor: Anchor, item: GateCandidate, *, follow: bool) -> GateDecision:
    target = one_line(item.target or item.text, TARGET_NAMED)
    reason = phrase(anchor.language, f"reasoning.{'related' if follow else 'unrelated'}", target=target)
    return GateDecision(id=item.id, follow=follow, reason=reason)

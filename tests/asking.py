"""A reasoner that asks and plans as a model does, where the extractive one would answer at once."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Analysis, Anchor, ClarifyingQuestion
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import Passage, PlanBegun, TodoDraft
from rabbithole.steps.reasoning.settings import ReasonerSettings

UNDECIDED = "Was gilt für die Lüftung in einem Aquarium mit Seepferdchen, und wer prüft die Filter?"
"""A question that it asks back about, and makes a plan of two tasks for that waits."""
_ABOUT = "aquarium"


class AskingReasoner(ExtractiveReasoner):
    """Asks one thing about questions on an aquarium, and plans the parts of every question as tasks of its own."""

    async def questions(
        self, question: str, language: str, analysis: Analysis, passages: Sequence[Passage], asked: Sequence[str]
    ) -> tuple[ClarifyingQuestion, ...]:
        if asked or _ABOUT not in question.lower():
            return await super().questions(question, language, analysis, passages, asked)
        text, options = {
            "de": ("Welche Räume meinen Sie?", ("Labore", "Lager")),
            "en": ("Which rooms do you mean?", ("laboratories", "stores")),
        }["de" if language == "de" else "en"]
        return (ClarifyingQuestion(id="q1", text=text, options=options),)

    async def plan(
        self, anchor: Anchor, passages: Sequence[Passage], wanted: int, begun: PlanBegun | None = None
    ) -> tuple[TodoDraft, ...]:
        drafts = await super().plan(anchor, passages, wanted, begun)
        return tuple(
            draft.model_copy(update={"origin": "plan"}) if draft.origin == "part" else draft for draft in drafts
        )


async def make_asking(settings: ReasonerSettings, kb: KnowledgeBase) -> AskingReasoner:
    """Return the reasoner for a chat on this knowledge base."""
    return AskingReasoner(kb.embed, "chosen by REASONER=extractive", rarity=kb.rarity)

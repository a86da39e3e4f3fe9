"""Let a model ask the user questions, but none already answered, and only choices that the documents leave open."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import Analysis, ClarifyingQuestion
from rabbithole.steps.reasoning.protocol import Passage
from rabbithole.steps.reasoning.text.figures import numbers
from rabbithole.steps.reasoning.text.similarity import coverage
from rabbithole.steps.reasoning.text.terms import stem_set

from . import schemas
from .evidence_labels import known_by
from .prompt_runner import Talk, in_language, language_name, listed, supported
from .understand import pieces

_RESTATED = 0.75  # a question with this share of its words in an earlier one asks the same again
_WRITTEN = 0.5  # minimum share of a choice's words found in the passages
_LEAST_CHOICES = 2


async def questions(
    talk: Talk, question: str, language: str, analysis: Analysis, passages: Sequence[Passage], asked: Sequence[str]
) -> tuple[ClarifyingQuestion, ...]:
    """Return new questions to the user; empty if the model has none.

    A question without choices from the passages is dropped: it would keep the answer back for a person who knows none.
    """
    values = {
        "gaps": ", ".join(analysis.gaps) or "-",
        "asked": listed(asked),
        "question": question,
        "language": language_name(language),
    }
    found = await talk.ask(
        "questions",
        schemas.QuestionsShape,
        values,
        {"passages": pieces(question, language, passages)},
        language=supported(language),
        said=lambda answer: " ".join(item.text for item in answer.questions),
    )
    read = " ".join(f"{passage.where} {passage.text}" for passage in passages)
    fresh = list[ClarifyingQuestion]()
    for item in found.questions:
        options = choices(item.options, read, language)
        if options and not _restates(item.text, (question, *asked, *(one.text for one in fresh)), language):
            why = item.why if in_language(item.why, supported(language)) else ""
            number = len(asked) + len(fresh) + 1
            fresh.append(ClarifyingQuestion(id=f"q{number}", text=item.text, options=options, why=why))
    return tuple(fresh)


def _restates(text: str, said: Sequence[str], language: str) -> bool:
    """Return whether a question repeats an earlier text: nearly all its words occur in one of those."""
    words = stem_set(text, language)
    return not words or any(coverage(words, stem_set(one, language)) >= _RESTATED for one in said)


def choices(options: Sequence[str], read: str, language: str) -> tuple[str, ...]:
    """Return the choices whose words and figures occur in the text read, each once; none if fewer than two are left."""
    words, told = stem_set(read, language), numbers(read)
    written = {
        known_by(option): option.strip()
        for option in options
        if option.strip()
        and numbers(option) <= told
        and coverage(stem_set(option, language), words) >= (_WRITTEN if stem_set(option, language) else 0.0)
    }
    return tuple(written.values()) if len(written) >= _LEAST_CHOICES else ()

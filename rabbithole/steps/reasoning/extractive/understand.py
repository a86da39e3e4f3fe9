"""Understand a question without a model: search queries, analysis of the passages found, clarifying questions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from rabbithole.steps.models import Analysis, Answer, ClarifyingQuestion, Round
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import Passage
from rabbithole.steps.reasoning.text.figures import counted
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.similarity import Meaning, coverage, matched
from rabbithole.steps.reasoning.text.terms import concepts, entities, salient, stem_set, stems
from rabbithole.steps.reasoning.text.topic_terms import matter_terms, wanted, without_source

from .sentence_scores import Scored, score_sentences
from .source_lines import clipped, document_of, for_people, named

MAX_OPTIONS = 5
_LONGEST_OPTION = 80
_ANSWERS, _AS_GOOD = 0.75, 0.9
"""Score from which a sentence answers, and the share of the best one's from which another does as well."""
_AS_NAME = re.compile(r"[A-Z\d]")


def search_queries(question: str, language: str, rounds: Sequence[Round], answers: Sequence[Answer]) -> tuple[str, ...]:
    """Return one to three queries: the question, its subject, its first words; later ones use answers and gaps.

    No words typical of what is asked for ("Grenzwert Frist beträgt") are added: on eleven sets of questions a search
    with them found one gold passage more, and missed four that the same search without them found.
    """
    terms = concepts(question, language) or (question,)
    if not rounds:
        matter = without_source(question, terms, language)
        return distinct(question, " ".join(matter[:4]), " ".join(terms[:2]))
    said = " ".join(answer.text for answer in answers).strip()
    last = rounds[-1].analysis
    gaps = " ".join(last.gaps[:2])
    refined = f"{question} {said}".strip()
    deeper = " ".join((*terms[:2], *(last.concepts[len(terms) : len(terms) + 2] or last.entities[:2])))
    searched = " ".join(dict.fromkeys((*concepts(said, language)[:3], gaps))).strip() if said else gaps
    return distinct(refined, searched or deeper, f"{terms[0]} {said or gaps}" if said or gaps else "")


def distinct(*queries: str) -> tuple[str, ...]:
    """Return the queries in order, each once: a repeated one would waste a search."""
    unique: dict[str, str] = {}
    for query in map(str.strip, queries):
        unique.setdefault(query.lower(), query)
    return tuple(filter(None, unique.values()))


def analyse(question: str, language: str, passages: Sequence[Passage], meaning: Meaning) -> Analysis:
    """Return the analysis: coverage, 0-1, by words found and the best sentence; gaps are terms no passage contains."""
    terms = concepts(question, language)
    text_stems = frozenset().union(*(stem_set(f"{item.where} {item.text}", language) for item in passages), frozenset())
    expected = matter_terms(question, language)
    gaps = tuple(term for term in expected if coverage(stem_set(term, language), text_stems) < 0.5)
    scored = score_sentences(question, question, language, passages, meaning)
    best = max((item.score for item in scored), default=0.0)
    held = coverage(dict(wanted(question, language)), text_stems)
    texts = [sentence.text for item in passages for sentence in sentences(item.text)]
    return Analysis(
        concepts=(*terms, *salient(texts, language, (question,), 4)),
        entities=tuple(dict.fromkeys((*entities(question), *(document_of(item.where) for item in passages))))[:8],
        scope=", ".join(dict.fromkeys(document_of(item.where) for item in passages)),
        gaps=gaps,
        coverage=round(0.5 * held + 0.5 * best, 3) if passages else 0.0,
    )


def clarifying_questions(
    question: str, language: str, passages: Sequence[Passage], asked: Sequence[str], meaning: Meaning
) -> tuple[ClarifyingQuestion, ...]:
    """Return the question whose answer would change the result: which document is meant.

    ``asked`` are the texts of earlier questions, which are not repeated.
    """
    drafts = _ask_document(language, passages, question, meaning)
    fresh = [draft for draft in drafts if draft.text not in set(asked)]
    return tuple(
        draft.model_copy(update={"id": f"q{len(asked) + position}"}) for position, draft in enumerate(fresh, start=1)
    )


def _ask_document(
    language: str, passages: Sequence[Passage], question: str, meaning: Meaning
) -> list[ClarifyingQuestion]:
    """Ask which document is meant if several answer about as well, with different figures, and none is named."""
    best: dict[str, Scored] = {}
    for scored in score_sentences(question, question, language, passages, meaning):
        document = document_of(passages[scored.passage].where)
        if document not in best or scored.score > best[document].score:
            best[document] = scored
    answering = _rivals(best)
    titles = {name: next(item.title for item in passages if document_of(item.where) == name) for name in answering}
    if len(answering) < 2 or _names_one(question, titles, language):
        return []
    places = "; ".join(
        clipped(for_people(passages[best[name].passage], language), _LONGEST_OPTION) for name in answering
    )
    return [
        ClarifyingQuestion(
            id="",
            text=phrase(language, "reasoning.ask_document"),
            options=(
                *(clipped(titles[name] or named(name), _LONGEST_OPTION) for name in answering),
                phrase(language, "reasoning.ask_all"),
            ),
            why=phrase(language, "reasoning.ask_document_why", places=places),
            several=True,
        )
    ]


def _rivals(best: Mapping[str, Scored]) -> list[str]:
    """Return the documents whose best sentences answer about as well as the best of all but with other figures.

    Where they state none or the same, all are quoted, and a choice would change nothing.
    """
    top = max((scored.score for scored in best.values()), default=0.0)
    if top < _ANSWERS:
        return []
    ranked = sorted(best, key=lambda name: (-best[name].score, name))
    near = [name for name in ranked if best[name].score >= _AS_GOOD * top][: MAX_OPTIONS - 1]
    figures = {name: counted(best[name].sentence.text) for name in near}
    telling = [name for name in near if figures[name]]
    return telling if len({figures[name] for name in telling}) > 1 else []


def _names_one(question: str, titles: Mapping[str, str], language: str) -> bool:
    """Return whether the question has a word that occurs in the name of just one document.

    In English, only words written as names count: 'filters' does not name the manual of a water filter.
    """
    words = question.split() if language == "de" else [word for word in question.split()[1:] if _AS_NAME.search(word)]
    asked = stem_set(" ".join(words), language)
    names = {file: stem_set(f"{named(file)} {title}", language) for file, title in titles.items()}
    counts = Counter(stem for stems_ in names.values() for stem in stems_)
    return any(counts[stem] == 1 for stem in asked)


def conversation_summary(question: str, language: str, rounds: Sequence[Round]) -> str:
    """Return the question, what was found, the user's answers and the open gaps, one statement per line."""
    lines = [phrase(language, "reasoning.conversation_asked", question=question)]
    scopes = dict.fromkeys(part for item in rounds for part in item.analysis.scope.split(", ") if part)
    if scopes:
        lines.append(phrase(language, "reasoning.conversation_found", places=", ".join(list(scopes)[:6])))
    lines += [
        phrase(language, "reasoning.conversation_said", answer=_with_question(item, answer))
        for item in rounds
        for answer in item.answers
        if answer.text.strip()
    ]
    if rounds and rounds[-1].analysis.gaps:
        lines.append(phrase(language, "reasoning.conversation_gaps", gaps=", ".join(rounds[-1].analysis.gaps)))
    return "\n".join(lines)


def _with_question(item: Round, answer: Answer) -> str:
    asked = {question.id: question.text for question in item.questions}
    return f"{asked[answer.question]} {answer.text}" if answer.question in asked else answer.text


def covered_terms(terms: Sequence[str], text: str, language: str) -> tuple[str, ...]:
    """Return the terms that the text contains."""
    found = stem_set(text, language)
    return tuple(term for term in terms if matched(stems(term, language), found))

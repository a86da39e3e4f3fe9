"""Extraction by sentence scores, and task summaries from the kept sentences, without a model."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import Anchor, Evidence, Quote, TaskSummary, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import Extraction, Passage
from rabbithole.steps.reasoning.text.asking_nouns import only_asks
from rabbithole.steps.reasoning.text.aspects import Aspect, says
from rabbithole.steps.reasoning.text.markdown_tables import one_line
from rabbithole.steps.reasoning.text.similarity import Meaning
from rabbithole.steps.reasoning.text.topic_terms import is_name, matter_terms

from .sentence_scores import Scored, score_sentences
from .understand import covered_terms

SENTENCES_KEPT = 5
QUOTES_KEPT = 4
FOLLOWED_KEPT = 3  # minimum number of sentences kept from a passage that a reference led to
SHORT = 4  # a passage of at most this many sentences is kept whole: a rule and its supplements
_TELLING_ASPECTS: tuple[Aspect, ...] = ("values", "exceptions", "conditions")
LONGEST_QUOTE = 900
FINDINGS_KEPT = 6
_WORTH = 0.6  # share of the passage's best score that a further sentence must reach
_LEAST = 0.18


def extract(anchor: Anchor, todo: Todo, passages: Sequence[Passage], meaning: Meaning) -> tuple[Extraction, ...]:
    """Return each passage's best sentences, verbatim; its relevance is the score of the best one, 0-1."""
    task = todo.text if todo.id else anchor.query
    scored = score_sentences(anchor.query, task, anchor.language, passages, meaning)
    by_passage: dict[int, list[Scored]] = {}
    for item in scored:
        by_passage.setdefault(item.passage, []).append(item)
    return tuple(_extraction(passage, by_passage.get(index, [])) for index, passage in enumerate(passages))


def _extraction(passage: Passage, scored: Sequence[Scored]) -> Extraction:
    if not scored:
        return Extraction(key=passage.key)
    ranked = sorted(scored, key=lambda item: (-item.score, item.sentence.start))
    best = ranked[0].score
    kept = [item for item in ranked if item.score >= max(_WORTH * best, _LEAST)][:SENTENCES_KEPT]
    least = SHORT if len(scored) <= SHORT else FOLLOWED_KEPT if passage.depth else 0
    if len(kept) < least:
        kept += _beside(scored, kept)[: least - len(kept)]
    in_order = sorted(kept, key=lambda item: item.sentence.start)
    quotable = [item for item in kept if len(item.sentence.text) <= LONGEST_QUOTE][:QUOTES_KEPT]
    return Extraction(
        key=passage.key,
        info=" ".join(item.sentence.flat for item in in_order),
        quotes=tuple(item.sentence.text for item in sorted(quotable, key=lambda item: -item.score)),
        relevance=round(best, 4),
    )


def _beside(scored: Sequence[Scored], kept: Sequence[Scored]) -> list[Scored]:
    """Return the sentences of a passage not kept yet: those with values, exceptions or conditions come first."""
    rest = [item for item in scored if item not in kept]
    return sorted(
        rest,
        key=lambda item: (
            not any(says(aspect, item.sentence.text) for aspect in _TELLING_ASPECTS),
            item.sentence.start,
        ),
    )


def summarise(anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary:
    """Summarise a task's evidence.

    Findings are quoted sentences with their keys, best evidence first; gaps are names in the task that no evidence has
    (other words may just be said differently).
    ``relevance`` is 0-100.
    """
    ranked = sorted(evidence, key=lambda item: (-item.score, item.depth, item.key))
    task = todo.text if todo.id else anchor.query
    quotes, findings = list[Quote](), list[str]()
    seen: set[str] = set()
    for item in ranked:
        for quote in item.quotes[:2] or _from_info(item):
            flat = one_line(quote.text)
            if flat.lower() not in seen and len(findings) < FINDINGS_KEPT:
                seen.add(flat.lower())
                findings.append(f"{flat} [{item.key}]")
                quotes.append(quote)
    terms = matter_terms(task, anchor.language)
    text = " ".join(
        f"{item.file} {item.title} {item.section_label} {item.info} {' '.join(quote.text for quote in item.quotes)}"
        for item in evidence
    )
    covered = covered_terms(terms, text, anchor.language)
    best = max((item.score for item in evidence), default=0.0)
    share = len(covered) / len(terms) if terms else float(bool(evidence))
    return TaskSummary(
        task=todo.id,
        text=" ".join(findings) or phrase(anchor.language, "reasoning.task_none"),
        findings=tuple(findings),
        gaps=tuple(
            phrase(anchor.language, "reasoning.open_gap", term=term)
            for term in terms
            if term not in covered and is_name(term, task) and not only_asks(term)
        ),
        quotes=tuple(quotes),
        relevance=round(100 * (0.5 * best + 0.5 * share)) if evidence else 0,
        relevance_assessment=phrase(anchor.language, "reasoning.relevance", covered=len(covered), total=len(terms)),
    )


def _from_info(item: Evidence) -> tuple[Quote, ...]:
    return (Quote(text=item.info),) if item.info.strip() else ()

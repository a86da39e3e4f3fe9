"""Digging without a model: extraction by sentence scores, the gate by nearness, summaries from what was kept."""

from __future__ import annotations

from collections.abc import Sequence

from ...models import Anchor, Evidence, Quote, TaskSummary, Todo
from ...phrases import phrase
from ..aspects import Aspect, is_formal, says
from ..matter import matter_terms, task_matter
from ..protocol import Extraction, GateCandidate, GateDecision, Passage
from ..similarity import Meaning, coverage, matched
from ..terms import concepts, stem_set, stems
from ..text import sentence_at
from .sentences import Scored, score_sentences
from .understand import covered_terms

SENTENCES_KEPT = 5
QUOTES_KEPT = 4
FOLLOWED_KEPT = 3  # sentences kept of a place a reference led to, at least
_TELLING_ASPECTS: tuple[Aspect, ...] = ("values", "exceptions", "conditions")
LONGEST_QUOTE = 900
FINDINGS_KEPT = 6
_WORTH = 0.6  # share of the passage's best score a further sentence must reach
_LEAST = 0.18
_NEAR, _FAR = 0.25, 0.06
_FAR_MEANING = 0.3
_STANDING = 0.45  # a passage scoring this matters so much that its references are followed unless they are formal
_TELLING = 5  # stems; a context shorter than that says too little to be called far
_MEANT = 8  # uncertain candidates per wave whose meaning is compared


def extract(anchor: Anchor, todo: Todo, passages: Sequence[Passage], meaning: Meaning) -> tuple[Extraction, ...]:
    """Per passage its best sentences, verbatim; relevance is the best of them, lifted by the heading's nearness."""
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
    if passage.depth and len(kept) < FOLLOWED_KEPT:
        kept += _beside(scored, kept)[: FOLLOWED_KEPT - len(kept)]
    in_order = sorted(kept, key=lambda item: item.sentence.start)
    quotable = [item for item in kept if len(item.sentence.text) <= LONGEST_QUOTE][:QUOTES_KEPT]
    return Extraction(
        key=passage.key,
        info=" ".join(item.sentence.flat for item in in_order),
        quotes=tuple(item.sentence.text for item in sorted(quotable, key=lambda item: -item.score)),
        relevance=round(best, 4),
    )


def _beside(scored: Sequence[Scored], kept: Sequence[Scored]) -> list[Scored]:
    """What else a place says that a reference led to: it answers in its own words, figures and exceptions first."""
    rest = [item for item in scored if item not in kept]
    return sorted(
        rest,
        key=lambda item: (
            not any(says(aspect, item.sentence.text) for aspect in _TELLING_ASPECTS),
            item.sentence.start,
        ),
    )


def gate(anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate], meaning: Meaning) -> tuple[GateDecision, ...]:
    """Follow what is near the question by its target's heading or its sentence; when uncertain, follow."""
    task = task_matter(todo.text, anchor.language) if todo.id else ""
    wanted = stems(f"{anchor.query} {task} {' '.join(anchor.refinements)}", anchor.language)
    decided = [_by_words(anchor, wanted, candidate) for candidate in candidates]
    open_ones = [position for position, decision in enumerate(decided) if decision is None]
    close = _by_meaning(anchor, [candidates[position] for position in open_ones[:_MEANT]], meaning)
    for rank, position in enumerate(open_ones):
        near = close[rank] if rank < len(close) else None
        decided[position] = _uncertain(anchor, candidates[position], near)
    return tuple(decision for decision in decided if decision is not None)


def _by_words(anchor: Anchor, wanted: Sequence[str], candidate: GateCandidate) -> GateDecision | None:
    """A decision where words are clear enough, None where they are not."""
    language, everything = anchor.language, frozenset(wanted)
    asked = stem_set(anchor.query, language)
    target = stem_set(candidate.target, language)
    if is_formal(candidate.target) and not asked & target:
        reason = phrase(language, "reasoning.skip_formal", target=_short(candidate.target))
        return GateDecision(id=candidate.id, follow=False, reason=reason)
    hits = matched(tuple(dict.fromkeys(wanted)), target)
    if hits and coverage(asked, target) >= _FAR:
        terms = _named(anchor, todo_terms=hits, text=candidate.target)
        reason = phrase(language, "reasoning.follow_target", target=_short(candidate.target), terms=terms)
        return GateDecision(id=candidate.id, follow=True, reason=reason)
    around = sentence_at(candidate.context, max(candidate.context.find(candidate.text), 0))
    found = stem_set(around, language) | stem_set(candidate.context, language)
    if coverage(everything, found) >= _NEAR:
        terms = _named(anchor, todo_terms=matched(tuple(dict.fromkeys(wanted)), found), text=candidate.context)
        return GateDecision(
            id=candidate.id, follow=True, reason=phrase(language, "reasoning.follow_context", terms=terms)
        )
    return None


def _named(anchor: Anchor, todo_terms: Sequence[str], text: str) -> str:
    """The concepts found, as a person would write them; the words of the text itself when no concept fits."""
    named = covered_terms(anchor.concepts or concepts(anchor.query, anchor.language), text, anchor.language)
    if named:
        return ", ".join(f"„{term}“" if anchor.language == "de" else f'"{term}"' for term in named[:3])
    words = [word.strip(".,;:()") for word in text.split() if stem_set(word, anchor.language) & set(todo_terms)]
    return ", ".join(dict.fromkeys(words[:3])) or ", ".join(todo_terms[:3])


def _by_meaning(anchor: Anchor, candidates: Sequence[GateCandidate], meaning: Meaning) -> tuple[float, ...]:
    if not meaning.available or not candidates:
        return ()
    texts = [
        f"{candidate.target}: {sentence_at(candidate.context, max(candidate.context.find(candidate.text), 0))}"
        for candidate in candidates
    ]
    return meaning.similarity(anchor.query, texts)


def _uncertain(anchor: Anchor, candidate: GateCandidate, near: float | None) -> GateDecision:
    language = anchor.language
    if candidate.standing >= _STANDING:
        # What a passage that matters refers to is not settled by words: the answer's other half uses other words.
        return GateDecision(id=candidate.id, follow=True, reason=phrase(language, "reasoning.follow_unsure"))
    if near is None:
        found = stem_set(f"{candidate.context} {candidate.target}", language)
        far = coverage(stem_set(anchor.query, language), found) < _FAR
        near = 0.0 if far and len(found) >= _TELLING else _FAR_MEANING
    if near < _FAR_MEANING:
        target = _short(candidate.target or candidate.text)
        return GateDecision(id=candidate.id, follow=False, reason=phrase(language, "reasoning.skip_far", target=target))
    key = "follow_meaning" if near >= 2 * _FAR_MEANING else "follow_unsure"
    return GateDecision(id=candidate.id, follow=True, reason=phrase(language, f"reasoning.{key}"))


def _short(text: str, limit: int = 90) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def summarise(anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary:
    """Findings are the kept sentences with their keys, best evidence first; gaps are the task's unmet terms."""
    ranked = sorted(evidence, key=lambda item: (-item.score, item.depth, item.key))
    task = todo.text if todo.id else anchor.query
    quotes, findings = list[Quote](), list[str]()
    seen: set[str] = set()
    for item in ranked:
        for quote in item.quotes[:2] or _from_info(item):
            flat = " ".join(quote.text.split())
            if flat.lower() not in seen and len(findings) < FINDINGS_KEPT:
                seen.add(flat.lower())
                findings.append(f"{flat} [{item.key}]")
                quotes.append(quote)
    terms = matter_terms(task, anchor.language)
    text = " ".join(f"{item.file} {item.title} {item.section_label} {item.info}" for item in evidence)
    covered = covered_terms(terms, text, anchor.language)
    best = max((item.score for item in evidence), default=0.0)
    share = len(covered) / len(terms) if terms else float(bool(evidence))
    return TaskSummary(
        task=todo.id,
        text=" ".join(findings) or phrase(anchor.language, "reasoning.task_none"),
        findings=tuple(findings),
        gaps=tuple(phrase(anchor.language, "reasoning.open_gap", term=term) for term in terms if term not in covered),
        quotes=tuple(quotes),
        relevance=round(100 * (0.5 * best + 0.5 * share)) if evidence else 0,
        relevance_assessment=phrase(anchor.language, "reasoning.relevance", covered=len(covered), total=len(terms)),
    )


def _from_info(item: Evidence) -> tuple[Quote, ...]:
    return (Quote(text=item.info),) if item.info.strip() else ()

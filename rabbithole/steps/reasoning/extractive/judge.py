"""Judge reports without a model: quality from counts, support of sentences by words and meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.language import foreign_sections, own_words, split_markdown
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import QualityRequest, Remedy, SupportClaim
from rabbithole.steps.reasoning.text.figure_mismatch import bounded
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.similarity import Meaning, coverage
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.reasoning.text.topic_terms import matter_terms
from rabbithole.steps.report_models import Quality

from .understand import covered_terms

_KEY = re.compile(r"\[[^\]\s]{2,40}\]")
_MEANT = 12  # claims whose meaning is compared when words leave their support open
_CLEAR = 0.75


def quality(request: QualityRequest) -> Quality:
    """Return five scores, 0-100 each, from counts: verified citations, repetition, structure, chosen passages cited."""
    anchor, text = request.anchor, request.markdown
    units = [item.text for _, body in split_markdown(text) for item in sentences(body)]
    cited = len(_KEY.findall(text))
    bad = request.unknown_keys + request.unverified_quotes + len(request.contradicted)
    verified = cited / (cited + 2 * bad) if cited else 0.0
    uncited = request.uncited_sentences / max(len(units), 1)
    terms = matter_terms(anchor.query, anchor.language)
    covered = covered_terms(terms, text, anchor.language)
    # Repeating the question's words does not count: the passages chosen for it must be cited.
    reached = [key for key in request.chosen if key in text]
    relevance = len(reached) / len(request.chosen) if request.chosen else float(cited > 0)
    return Quality(
        factual_accuracy=_percent(verified * (1 - 0.6 * uncited)),
        semantic_validity=_percent(_distinct(units) * (1.0 if request.language_ok else 0.5)),
        structural_integrity=_percent(_structure(text)),
        citation_correctness=_percent(verified * (1 - 0.4 * uncited)),
        query_relevance=_percent(relevance),
        notes=phrase(anchor.language, "reasoning.quality_notes", covered=len(covered), total=len(terms), cited=cited),
    )


def _percent(value: float) -> int:
    return round(100 * min(1.0, max(0.0, value)))


def _distinct(units: Sequence[str]) -> float:
    """Return the share of distinct sentences, 0-1."""
    words = [" ".join(_KEY.sub("", unit).lower().split()) for unit in units]
    return len(set(words)) / len(words) if words else 0.0


def _structure(text: str) -> float:
    """Return a score, 0-1: the best has a title and at least two sections, none of them empty."""
    parts = split_markdown(text)
    headings = [heading for heading, _ in parts if heading]
    filled = sum(1 for heading, body in parts if heading and (body.strip() or heading.startswith("# ")))
    if not headings:
        return 0.4 if text.strip() else 0.0
    enough = min(1.0, len(headings) / 3)
    return 0.4 + 0.3 * enough + 0.3 * filled / len(headings)


def remedy(request: QualityRequest, found: Quality) -> Remedy:
    """Return 'retry' with instructions if there are defects that a rewrite can correct, else 'accept'."""
    anchor = request.anchor
    terms = matter_terms(anchor.query, anchor.language)
    open_terms = [term for term in terms if term not in covered_terms(terms, request.markdown, anchor.language)]
    focus: list[str] = []
    if open_terms:
        focus.append(phrase(anchor.language, "reasoning.remedy_cover", terms=", ".join(open_terms)))
    if request.unknown_keys or request.unverified_quotes:
        focus.append(phrase(anchor.language, "reasoning.remedy_quotes"))
    if request.contradicted:
        focus.append(phrase(anchor.language, "reasoning.remedy_figures", sentence=request.contradicted[0]))
    if not request.language_ok or foreign_sections(request.markdown, anchor.language):
        focus.append(phrase(anchor.language, "reasoning.remedy_language"))
    return Remedy(action="retry", focus=" ".join(focus)) if focus else Remedy(action="accept")


def support(claims: Sequence[SupportClaim], language: str, meaning: Meaning) -> tuple[float, ...]:
    """Return how well each source supports its sentence, 0-1, by shared words and, if these leave it open, meaning."""
    values = [_word_support(claim, language) for claim in claims]
    if meaning.available:
        unclear = [index for index, value in enumerate(values) if 0.1 < value < _CLEAR][:_MEANT]
        for index in unclear:
            claim = claims[index]
            near = meaning.similarity(_plain(claim.sentence), [claim.source[:1000]])[0]
            values[index] = max(values[index], 0.5 * values[index] + 0.5 * near)
    return tuple(round(bounded(value, claim), 4) for value, claim in zip(values, claims, strict=True))


def _word_support(claim: SupportClaim, language: str) -> float:
    sentence, source = " ".join(_plain(claim.sentence).split()), " ".join(claim.source.split())
    if sentence and sentence.lower() in source.lower():
        return 1.0
    words = coverage(stem_set(sentence, language), stem_set(source, language))
    figures = set(re.findall(r"\d+(?:[.,]\d+)?", sentence))
    missing = figures - set(re.findall(r"\d+(?:[.,]\d+)?", source))
    # A figure that is missing from the source is the most serious lack of support.
    return words * (0.5 if missing else 1.0)


def _plain(sentence: str) -> str:
    return _KEY.sub(" ", re.sub(r"\*\*[^*]*:\*\*", " ", sentence)).strip(' -*„“"”.')


def own_language_ok(request: QualityRequest) -> bool:
    """Return whether the report's own text is in the user's language."""
    return not foreign_sections(request.markdown, request.anchor.language) and bool(own_words(request.markdown).strip())

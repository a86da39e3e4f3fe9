"""Write and judge the report with a model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence

from rabbithole.steps.language import Supported, foreign_sections
from rabbithole.steps.models import Evidence, TaskSummary, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.client.answer_shape import exactly
from rabbithole.steps.reasoning.client.gateway import CallFailed
from rabbithole.steps.reasoning.protocol import Fact, QualityRequest, Remedy, SupportClaim, WriteRequest
from rabbithole.steps.report_models import Quality

from . import schemas
from .citation_backfill import Credit, credited
from .context_packing import Piece, rank_of
from .dig import once
from .evidence_labels import KEYS, Labels, known_by
from .output_cleanup import OutputCleaner, cleaned
from .prompt_delimiters import as_data
from .prompt_runner import Talk, language_name, listed

REPORT_TOKENS = 6000
ANSWER_TOKENS = 1200
REWRITE_TOKENS = 1500
REPORT_JUDGED = 6_000  # characters of a report that the model judges; counts are taken on all of it
_REPORT_SHARE = 0.35  # maximum share of the context window a report may take
CLAIMS_PER_CALL = 16
_PART = 0.8  # share of the question's length above which a text is just the question again
_UNCITED = 1_500  # a report without a citation in this many characters is rejected
EVIDENCE_WRITTEN, LEAST_BESIDE = 18, 6  # pieces a report is written from; least of them that no finding cites


def report_tokens(talk: Talk, wanted: int = REPORT_TOKENS) -> int:
    """Return the tokens for the report: as wanted, but at most about a third of the context window."""
    return min(wanted, int(_REPORT_SHARE * talk.gateway.client.context_window))


async def report(talk: Talk, request: WriteRequest) -> AsyncIterator[str]:
    """Yield the report paragraph by paragraph, each after a check of its language."""
    anchor = request.anchor
    labels = Labels(_needed(request))
    found = {summary.task: summary for summary in request.summaries}
    told: set[str] = set()
    summaries = [
        Piece(text=text, rank=float(-found[todo.id].relevance))
        for todo in request.tasks
        if todo.id in found and (text := _told(todo, found[todo.id], labels, told))
    ]
    values = {
        "conversation": anchor.summary or "nothing",
        "contradictions": labels.hide(listed(_once_each(request.contradictions), "none")),
        "missing": ", ".join(request.missing) or "nothing",
        "focus": request.focus or "nothing",
        "question": anchor.query,
        "example": labels.first,
        "answer": phrase(anchor.language, "reasoning.answer"),
        "conflicts": phrase(anchor.language, "response.qualifying"),
        "open": phrase(anchor.language, "reasoning.open"),
        "language": language_name(anchor.language),
    }
    answer = report_tokens(talk)
    material = {"summaries": summaries, "evidence": labels.pieces()}
    asked = talk.prepare("write", "write", values, material, answer)
    known = {item.key for item in request.evidence}
    begun = False
    written = restored(paragraphs(talk.write("write", asked.prompt, answer)), labels, anchor.language)
    findings = [finding for summary in request.summaries for finding in summary.findings or (summary.text,)]
    credit = Credit(findings, anchor.query, anchor.language, silent=values["open"])
    cleaner = OutputCleaner(anchor.language, [anchor.query, *(todo.text for todo in request.tasks)])
    async for part in cited(credited(cleaned(written, cleaner), credit), known):
        yield await in_own_language(talk, part, anchor.language, begun=begun)
        begun = True


def _told(todo: Todo, summary: TaskSummary, labels: Labels, told: set[str]) -> str:
    """Return a task with its gaps and its findings not yet in ``told``, and add these to it; '' if there are none."""
    fresh = _once_each([item for item in summary.findings or (summary.text,) if _bare(item) not in told])
    told.update(map(_bare, fresh))
    lines = [*([labels.hide(listed(fresh))] if fresh else []), *(f"Open: {gap}" for gap in summary.gaps)]
    return "\n".join((f"Task: {todo.text}", *lines)) if lines else ""


def _once_each(texts: Sequence[str]) -> list[str]:
    """Return the texts without duplicates, ignoring the evidence they cite."""
    return list({_bare(text): text for text in reversed(texts)}.values())[::-1]


def _bare(text: str) -> str:
    return " ".join(KEYS.sub("", text).split())


async def restored(parts: AsyncIterator[str], labels: Labels, language: Supported) -> AsyncIterator[str]:
    """Yield the parts with labels replaced by keys."""
    async for part in parts:
        yield labels.restore(part, language)


def _needed(request: WriteRequest) -> tuple[Evidence, ...]:
    """Return the evidence chosen for the question, then what the findings cite and the best of the rest."""
    found = " ".join(f"{summary.text} {' '.join(summary.findings)}" for summary in request.summaries)
    cited, every = _keys(found), once(request.evidence)
    rest = sorted(
        (item for item in every if item.key not in cited),
        key=lambda item: (rank_of(item.tier, item.score, item.depth), item.key),
    )
    wanted = cited | {item.key for item in rest[: max(LEAST_BESIDE, EVIDENCE_WRITTEN - len(cited))]}
    by_key = {item.key: item for item in request.evidence}
    chosen = {key: by_key[key] for key in request.chosen if key in by_key}
    return (*chosen.values(), *(item for item in request.evidence if item.key in wanted and item.key not in chosen))


async def answer(
    talk: Talk, question: str, language: Supported, facts: Sequence[Fact], evidence: Sequence[Evidence]
) -> AsyncIterator[str]:
    labels = Labels(evidence, [fact.key for fact in facts])
    values = {
        "facts": listed([f"{fact.text} [{labels.of(fact.key)}] ({fact.where})" for fact in facts]),
        "question": question,
        "example": labels.first,
        "language": language_name(language),
    }
    asked = talk.prepare("compose", "compose", values, {"evidence": labels.pieces()}, ANSWER_TOKENS)
    begun = False
    written = restored(paragraphs(talk.write("compose", asked.prompt, ANSWER_TOKENS)), labels, language)
    credit = Credit([f"{fact.text} [{fact.key}]" for fact in facts], question, language)
    async for part in credited(written, credit):
        yield await in_own_language(talk, part, language, begun=begun)
        begun = True


async def cited(parts: AsyncIterator[str], known: set[str]) -> AsyncIterator[str]:
    """Yield the parts once one of them cites known evidence, so that a refusal or small talk never reaches the reader.

    Raises CallFailed if none does within ``_UNCITED`` characters or by the end, unless there is no evidence to cite.
    """
    held: list[str] = []
    reached = not known
    async for part in parts:
        reached = reached or bool(_keys(part) & known)
        if not reached:
            held.append(part)
            if sum(map(len, held)) > _UNCITED:
                break
            continue
        for earlier in held:
            yield earlier
        held.clear()
        yield part
    if not reached:
        raise CallFailed("the report cites no evidence")


async def paragraphs(stream: AsyncIterator[str]) -> AsyncIterator[str]:
    """Yield whole paragraphs of a stream, each with its blank line, without thinking and the outer code fence."""
    pending = ""
    thinking = False
    async for piece in stream:
        pending += piece
        while "\n\n" in pending:
            part, pending = pending.split("\n\n", 1)
            part, thinking = _spoken(part, thinking)
            if part.strip():
                yield f"{part}\n\n"
    part, _ = _spoken(pending, thinking)
    if part.strip():
        yield f"{part.rstrip()}\n"


def _spoken(part: str, thinking: bool) -> tuple[str, bool]:
    """Return the part without thinking and fence lines, and whether thinking continues after it."""
    if thinking:
        if "</think>" not in part:
            return "", True
        part = part.split("</think>", 1)[1]
    part = re.sub(r"<think>.*?</think>", "", part, flags=re.DOTALL)
    if "<think>" in part:
        return part.split("<think>", 1)[0], True
    return re.sub(r"^```(?:markdown|md)?\s*$\n?", "", part, flags=re.MULTILINE).lstrip("\n"), False


async def in_own_language(talk: Talk, part: str, language: Supported, *, begun: bool) -> str:
    """Return the paragraph in the user's language: if it is not, it is rewritten once and marked if that fails.

    Raises CallFailed if this happens to the first paragraph, or to one without citations.
    """
    if not foreign_sections(part, language):
        return part
    asked = talk.prepare("write", "rewrite", {"language": language_name(language), "part": part}, {}, REWRITE_TOKENS)
    try:
        again = "".join([piece async for piece in talk.write("write", asked.prompt, REWRITE_TOKENS)])
    except CallFailed:
        again = part
    again = f"{_spoken(again, thinking=False)[0].strip()}\n\n"
    if again.strip() and not foreign_sections(again, language) and _keys(again) == _keys(part):
        return again
    if not begun or not _keys(part):
        raise CallFailed("the answer is in another language")
    return f"{part.rstrip()}\n\n{phrase(language, 'reasoning.wrong_language')}\n\n"


def _keys(text: str) -> set[str]:
    return set(re.findall(r"\[(e[0-9a-f]{6,16})\]", text))


async def quality(talk: Talk, request: QualityRequest, computed: Quality) -> Quality:
    labels = Labels(cited_evidence(request))
    values = {
        "counts": counts(request),
        "report": labels.hide(as_data(request.markdown))[:REPORT_JUDGED],
        "question": request.anchor.query,
        "language": language_name(request.anchor.language),
    }
    found = await talk.ask("quality", schemas.QualityShape, values, {"evidence": labels.pieces()})
    # What can be counted is counted: no judgement lifts citations that do not verify.
    return Quality(
        factual_accuracy=min(found.factual_accuracy, computed.factual_accuracy),
        semantic_validity=found.semantic_validity,
        structural_integrity=found.structural_integrity,
        citation_correctness=min(found.citation_correctness, computed.citation_correctness),
        query_relevance=found.query_relevance,
        notes=found.notes,
    )


def cited_evidence(request: QualityRequest) -> tuple[Evidence, ...]:
    """Return the evidence that the report cites; only this shows whether the report is right."""
    keys = _keys(request.markdown)
    return tuple(item for item in request.evidence if item.key in keys)


async def remedy(talk: Talk, request: QualityRequest, found: Quality, by_rule: Remedy) -> Remedy:
    """Decide whether to rewrite and what to improve: first the problems found by rule, then those the model names."""
    scores = found.model_dump(include=set(Quality.model_fields) - {"decision", "notes"})
    values = {
        "scores": ", ".join(f"{name} {score}" for name, score in scores.items()),
        "notes": found.notes or "-",
        "counts": counts(request),
        "material": str(len(request.evidence)),
        "question": request.anchor.query,
        "language": language_name(request.anchor.language),
    }
    decided = await talk.ask("remedy", schemas.RemedyShape, values)
    if decided.action == "accept":
        return Remedy(action="accept")
    language = request.anchor.language
    asked = known_by(request.anchor.query)
    part = decided.part.strip(" .?")
    told = [
        phrase(language, f"reasoning.mend.{kind}", part=part)
        for kind in dict.fromkeys(decided.mend)
        if kind != "gaps" or (part and known_by(part) in asked and len(part) < _PART * len(asked))
    ]
    focus = " ".join((by_rule.focus, *told)).strip()
    return Remedy(action="retry", focus=focus) if focus else Remedy(action="accept")


def counts(request: QualityRequest) -> str:
    """Return the counts of a report's problems in words for the model."""
    return (
        f"{request.unknown_keys} unknown keys, {request.unverified_quotes} quotations not found in their source, "
        f"{request.uncited_sentences} sentences without a key, {len(request.contradicted)} sentences with another "
        f"figure than their source, language right: {'yes' if request.language_ok else 'no'}"
    )


async def support(talk: Talk, claims: Sequence[SupportClaim], language: Supported) -> tuple[float, ...]:
    """Return the scores of one batch, 0-1. Raises CallFailed if the model did not score every claim."""
    pieces = [
        Piece(
            text=f"{number}. Statement: {' '.join(as_data(claim.sentence).split())}\n"
            f"<<<DOCUMENT {number}>>>\n{as_data(claim.source)[:1500]}\n<<<END {number}>>>",
            rank=0.0,
        )
        for number, claim in enumerate(claims, start=1)
    ]
    values = {"count": str(len(claims)), "language": language_name(language)}
    shape = exactly(schemas.SupportShape, "scores", len(claims))
    found = await talk.ask("support", shape, values, {"claims": pieces})
    if len(found.scores) != len(claims):
        raise CallFailed(f"{len(found.scores)} scores for {len(claims)} statements")
    return tuple(score / 100 for score in found.scores)

"""A report from verbatim sentences: the direct answer, task by task, what references led to, what stays open.

No sentence appears twice. Everything between quotation marks stands in a document; everything else is a fixed phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ....kb.models import Model
from ...models import Evidence, TaskSummary, Todo
from ...phrases import phrase
from ..aspects import Aspect, asked_aspects, says
from ..matter import matter_terms
from ..protocol import Passage, WriteRequest
from ..similarity import Meaning, coverage
from ..terms import stem_set
from .plan import question_parts
from .sentences import score_sentences

PER_PART = 4
PER_TASK = 5
PER_EXTRA = 5
OPEN_GAPS = 6
OPEN_MISSING = 12
_WORTH = 0.55  # share of a part's best score that a further sentence must reach
_LEAST = 0.3
_ALIKE = 0.85
_LONGEST_HEADING = 160


class Statement(Model):
    """One quotable sentence of one piece of evidence."""

    evidence: Evidence
    text: str
    verbatim: bool
    score: float = 0.0


class _Used:
    """What has been said: no sentence twice, not even nearly."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._said: list[frozenset[str]] = []

    def has(self, statement: Statement) -> bool:
        """Whether the statement, or nearly the same words, has been said."""
        words = stem_set(statement.text, self._language)
        return any(len(words & said) >= _ALIKE * len(words | said) for said in self._said)

    def take(self, statement: Statement) -> bool:
        """Whether the statement is new; it counts as said from then on."""
        words = stem_set(statement.text, self._language)
        if not words or self.has(statement):
            return False
        self._said.append(words)
        return True


def statements(evidence: Sequence[Evidence]) -> tuple[Statement, ...]:
    """Verified quotations first; where a piece of evidence has none, its extracted information as plain words."""
    found: list[Statement] = []
    for item in evidence:
        verified = [quote.text for quote in item.quotes if quote.verified] or [quote.text for quote in item.quotes]
        found += [Statement(evidence=item, text=" ".join(text.split()), verbatim=True) for text in verified]
        if not verified and item.info.strip():
            found.append(Statement(evidence=item, text=" ".join(item.info.split()), verbatim=False))
    return tuple(found)


def rank(
    statements_: Sequence[Statement], question: str, task: str, language: str, meaning: Meaning
) -> list[Statement]:
    """The statements by how well they answer, nearer evidence first among equals."""
    passages = [Passage(key=item.evidence.key, where=place(item.evidence), text=item.text) for item in statements_]
    best: dict[int, float] = {}
    for scored in score_sentences(question, task, language, passages, meaning):
        best[scored.passage] = max(best.get(scored.passage, 0.0), scored.score)
    rescored = [
        item.model_copy(update={"score": round(0.8 * best.get(index, 0.0) + 0.2 * item.evidence.score, 4)})
        for index, item in enumerate(statements_)
    ]
    return sorted(rescored, key=lambda item: (-item.score, item.evidence.depth, item.evidence.key, item.text))


def place(evidence: Evidence) -> str:
    """Where a piece of evidence stands, as a heading would say it."""
    return ", ".join(part for part in (evidence.title or evidence.file, evidence.section_label) if part)


def write_report(request: WriteRequest, meaning: Meaning) -> Iterator[str]:
    """The report in pieces of Markdown, each ending with a newline."""
    language = request.anchor.language
    used = _Used(language)
    every = statements(request.evidence)
    yield f"# {_heading(request.anchor.query)}\n\n"
    yield from _answer(request, every, used, meaning)
    summaries = {summary.task: summary for summary in request.summaries}
    for todo in request.tasks:
        if todo.id:
            yield from _task(request, todo, summaries.get(todo.id), every, used, meaning)
    yield from _exceptions(request, every, used, meaning)
    yield from _followed(request, every, used, meaning)
    if request.contradictions:
        yield f"## {phrase(language, 'reasoning.conflicts')}\n\n"
        yield "".join(f"- {_flat(text)}\n" for text in request.contradictions) + "\n"
    yield from _open(request)


def _answer(request: WriteRequest, every: Sequence[Statement], used: _Used, meaning: Meaning) -> Iterator[str]:
    anchor, language = request.anchor, request.anchor.language
    yield f"## {phrase(language, 'reasoning.answer')}\n\n"
    parts = question_parts(anchor.query, language)
    main = " ".join(matter_terms(anchor.query, language)[:4])
    said: list[tuple[str, list[Statement]]] = []
    for part in parts:
        task = part if len(parts) == 1 else f"{part} {main}"
        ranked = rank(every, anchor.query if len(parts) == 1 else task, task, language, meaning)
        ranked = _fitting(ranked, part)
        said.append((part, _choose(ranked, used, PER_PART)))
    if not any(chosen for _, chosen in said):
        yield f"{phrase(language, 'reasoning.answer_none')}\n\n"
        return
    yield f"{phrase(language, 'reasoning.answer_intro')}\n\n"
    for part, chosen in said:
        if len(parts) > 1 and chosen:
            yield f"**{_heading(part)}**\n\n"
        yield _bullets(chosen, language)


def _fitting(ranked: list[Statement], part: str) -> list[Statement]:
    """Statements with the marks of what is asked come first: a figure for 'how much', 'unless' for an exception."""
    aspects = asked_aspects(part)
    if not aspects:
        return ranked
    marked = [item.model_copy(update={"score": item.score * (0.7 + 0.5 * _marks(item, aspects))}) for item in ranked]
    return sorted(marked, key=lambda item: -item.score)


def _marks(item: Statement, aspects: Sequence[Aspect]) -> float:
    return sum(says(aspect, item.text) for aspect in aspects) / len(aspects)


def _task(
    request: WriteRequest,
    todo: Todo,
    summary: TaskSummary | None,
    every: Sequence[Statement],
    used: _Used,
    meaning: Meaning,
) -> Iterator[str]:
    language = request.anchor.language
    yield f"## {_heading(todo.text)}\n\n"
    own = [item for item in every if item.evidence.task == todo.id]
    if not own and summary is None:
        own = [item for item in every if coverage(stem_set(todo.text, language), stem_set(item.text, language)) >= 0.5]
    ranked = rank(own, request.anchor.query, todo.text, language, meaning)
    above = [item for item in ranked[:PER_TASK] if item.score >= _LEAST and used.has(item)]
    chosen = _choose(ranked, used, PER_TASK)
    if above and above[0].text == ranked[0].text:
        places = {_flat(place(item.evidence)): item.evidence.key for item in reversed(above)}
        named = "; ".join(f"{name} [{key}]" for name, key in reversed(places.items()))
        yield f"{phrase(language, 'reasoning.task_done_above', places=named)}\n\n"
    elif not chosen:
        yield f"{phrase(language, 'reasoning.task_none')}\n\n"
    if chosen:
        yield _bullets(chosen, language)


def _exceptions(request: WriteRequest, every: Sequence[Statement], used: _Used, meaning: Meaning) -> Iterator[str]:
    anchor = request.anchor
    marked = [item for item in every if says("exceptions", item.text)]
    ranked = rank(marked, anchor.query, anchor.query, anchor.language, meaning)
    chosen = _choose([item for item in ranked if item.score >= 0.3], used, PER_EXTRA)
    if chosen:
        yield f"## {phrase(anchor.language, 'reasoning.conditions')}\n\n"
        yield _bullets(chosen, anchor.language)


def _followed(request: WriteRequest, every: Sequence[Statement], used: _Used, meaning: Meaning) -> Iterator[str]:
    anchor = request.anchor
    deeper = [item for item in every if item.evidence.depth > 0]
    ranked = rank(deeper, anchor.query, anchor.query, anchor.language, meaning)
    chosen = _choose(ranked, used, PER_EXTRA, worth=0.4)
    if chosen:
        yield f"## {phrase(anchor.language, 'reasoning.references')}\n\n"
        yield f"{phrase(anchor.language, 'reasoning.references_intro')}\n\n"
        yield _bullets(chosen, anchor.language)


def _open(request: WriteRequest) -> Iterator[str]:
    language = request.anchor.language
    gaps = list(dict.fromkeys(_flat(gap) for summary in request.summaries for gap in summary.gaps))
    said = [gap for gap in gaps if not _answered(gap, request)][:OPEN_GAPS]
    lines = said + [
        phrase(language, "reasoning.open_missing", name=_flat(name)) for name in request.missing[:OPEN_MISSING]
    ]
    yield f"## {phrase(language, 'reasoning.open')}\n\n"
    yield "".join(f"- {line}\n" for line in lines) if lines else f"{phrase(language, 'reasoning.open_none')}\n"


def _answered(gap: str, request: WriteRequest) -> bool:
    """A gap of one task that the evidence of another fills is none."""
    terms = re.findall(r"[„\"]([^“\"]+)[“\"]", gap)
    found = frozenset().union(*(stem_set(item.info, request.anchor.language) for item in request.evidence), frozenset())
    return bool(terms) and all(coverage(stem_set(term, request.anchor.language), found) >= 0.5 for term in terms)


def _choose(ranked: Sequence[Statement], used: _Used, limit: int, worth: float = _WORTH) -> list[Statement]:
    chosen: list[Statement] = []
    floor = max(worth * ranked[0].score, _LEAST) if ranked else 0.0
    for item in ranked:
        if len(chosen) == limit or item.score < floor:
            break
        if used.take(item):
            chosen.append(item)
    return chosen


def _bullets(chosen: Sequence[Statement], language: str) -> str:
    """Statements grouped by place, in the order of their first mention."""
    groups: dict[str, list[Statement]] = {}
    for item in chosen:
        groups.setdefault(_label(item.evidence, language), []).append(item)
    lines: list[str] = []
    for label, items in groups.items():
        ordered = sorted(items, key=lambda item: (item.evidence.start, item.text))
        said = " ".join(f"{_words(item, language)} [{item.evidence.key}]" for item in ordered)
        lines.append(f"- **{label}:** {said}\n")
    return "".join(lines) + "\n" if lines else ""


def _label(evidence: Evidence, language: str) -> str:
    label = _flat(place(evidence)) or evidence.key
    if evidence.depth and evidence.chain:
        via = phrase(language, "reasoning.via", reference=_flat(evidence.chain[-1].reference)[:80])
        label = f"{label} ({via})"
    return label


def _words(item: Statement, language: str) -> str:
    text = _flat(item.text)
    return phrase(language, "reasoning.quote", text=inner_quotes(text, language)) if item.verbatim else text


def inner_quotes(text: str, language: str) -> str:
    """Quotation marks inside a quotation become single ones, so that the outer pair stays readable."""
    if language == "de":
        return re.sub(r"[„\"«]([^“”\"»]*)[“”\"»]", r"‚\1‘", text).replace("“", "‘").replace("„", "‚").replace('"', "'")
    return re.sub(r"[“„\"«]([^”“\"»]*)[”“\"»]", r"'\1'", text).replace('"', "'").replace("”", "'").replace("“", "'")


def _flat(text: str) -> str:
    """One line, and no Markdown link or image: whatever a document says, its text stays text."""
    return " ".join(text.split()).replace("](", "] (")


def _heading(text: str) -> str:
    flat = _flat(text).lstrip("# ")
    if len(flat) > _LONGEST_HEADING:
        flat = flat[:_LONGEST_HEADING].rsplit(" ", 1)[0] + " …"
    return flat[:1].upper() + flat[1:]

"""A report from verbatim sentences: the direct answer, task by task, what references led to, what stays open.

No sentence appears twice. Everything between quotation marks stands in a document; everything else is a fixed phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...models import Evidence
from ...phrases import phrase
from ..aspects import Aspect, asked_aspects, says
from ..matter import matter_terms
from ..protocol import Passage, WriteRequest
from ..similarity import Meaning, coverage
from ..terms import stem_set
from .plan import question_parts
from .said import Followed, Statement, Used
from .sentences import CONTINUED, CONTINUING, score_sentences

PER_PART = 4
PER_TASK = 5
PER_EXTRA = 5
PER_FOLLOWED = 8
OPEN_GAPS = 6
OPEN_MISSING = 12
_WORTH = 0.55  # share of a part's best score that a further sentence must reach
_LEAST = 0.3
_LONGEST_HEADING = 160
_LONGEST_TITLE = 45
_KEY = re.compile(r"\s*\[e[0-9a-f]{6,16}\]")


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
    continued = _continued(rescored, asked_aspects(task) or asked_aspects(question))
    return sorted(continued, key=lambda item: (-item.score, item.evidence.depth, item.evidence.key, item.text))


def _continued(items: Sequence[Statement], aspects: Sequence[Aspect]) -> list[Statement]:
    """As in the extraction: a sentence with the marks of what is asked belongs to the best one of its section."""
    special = tuple(aspect for aspect in aspects if aspect in CONTINUING)
    best: dict[tuple[str, str], float] = {}
    for item in items:
        spot = (item.evidence.document, item.evidence.section_label)
        best[spot] = max(best.get(spot, 0.0), item.score)
    return [
        item.model_copy(
            update={"score": max(item.score, CONTINUED * best[item.evidence.document, item.evidence.section_label])}
        )
        if _marks(item, special) > 0
        else item
        for item in items
    ]


def place(evidence: Evidence) -> str:
    """Where a piece of evidence stands, as a heading would say it; a long title gives way to the file's name."""
    stem = evidence.short or evidence.file.rsplit(".", 1)[0].rsplit("/", 1)[-1]
    title = evidence.title if evidence.title and (len(evidence.title) <= _LONGEST_TITLE or not stem) else stem
    section = "" if evidence.section_label in (evidence.title, title) else evidence.section_label
    return ", ".join(part for part in (title, section) if part)


def write_report(request: WriteRequest, meaning: Meaning) -> Iterator[str]:
    """The report in pieces of Markdown, each ending with a newline."""
    language = request.anchor.language
    used = Used(language)
    every = statements(request.evidence)
    deeper = rank(every, request.anchor.query, request.anchor.query, language, meaning)
    followed = Followed(_weighed(deeper, request.anchor.query))
    yield f"# {_heading(request.anchor.query)}\n\n"
    yield from _answer(request, every, used, followed, meaning)
    yield from _tasks(request, every, used, followed, meaning)
    yield from _exceptions(request, every, used, followed, meaning)
    yield from _followed(request, used, followed)
    if request.contradictions:
        yield f"## {phrase(language, 'reasoning.conflicts')}\n\n"
        once = {_KEY.sub("", _flat(text)).strip(): _flat(text) for text in reversed(request.contradictions)}
        yield "".join(f"- {text}\n" for text in reversed(once.values())) + "\n"
    yield from _open(request)


def _answer(
    request: WriteRequest, every: Sequence[Statement], used: Used, followed: Followed, meaning: Meaning
) -> Iterator[str]:
    anchor, language = request.anchor, request.anchor.language
    yield f"## {phrase(language, 'reasoning.answer')}\n\n"
    parts = question_parts(anchor.query, language)
    main = " ".join(matter_terms(anchor.query, language)[:4])
    chosen: dict[str, list[Statement]] = {}
    # What asks for something special takes its sentences first: an exception fits 'which limits', not vice versa.
    for part in sorted(parts, key=lambda part: (not _special(part), parts.index(part))):
        task = part if len(parts) == 1 else f"{part} {main}"
        ranked = rank(every, anchor.query if len(parts) == 1 else task, task, language, meaning)
        chosen[part] = _choose(_fitting(ranked, part), used, PER_PART)
    if not any(chosen.values()):
        yield f"{phrase(language, 'reasoning.answer_none')}\n\n"
        return
    yield f"{phrase(language, 'reasoning.answer_intro')}\n\n"
    for part in parts:
        if len(parts) > 1 and chosen[part]:
            yield f"**{_heading(part)}**\n\n"
        yield _bullets(chosen[part], language, used, followed)


def _special(part: str) -> tuple[Aspect, ...]:
    """The aspects no other sentence answers: exceptions; conditions unless a value is asked for ('how high may')."""
    asked = asked_aspects(part)
    if "exceptions" in asked or "values" not in asked:
        return tuple(aspect for aspect in asked if aspect in ("exceptions", "conditions"))
    return ()


def _fitting(ranked: list[Statement], part: str) -> list[Statement]:
    """Statements with the marks of what is asked come first: a figure for 'how much', 'unless' for an exception.

    Where an exception or a condition is asked for, a sentence without any mark of one answers nothing, as long as there
    is a marked one nearly as good.
    """
    special = _special(part)
    marked = _weighed(ranked, part)
    best = max((item.score for item in marked), default=0.0)
    fitting = [item for item in marked if _marks(item, special) > 0]
    good = bool(fitting) and fitting[0].score >= _WORTH * best
    return fitting if good else marked


def _weighed(ranked: Sequence[Statement], part: str) -> list[Statement]:
    """The statements by score, those with the marks of what is asked before others as good."""
    wanted = _special(part) or asked_aspects(part)
    if not wanted:
        return list(ranked)
    marked = [item.model_copy(update={"score": item.score * (0.7 + 0.5 * _marks(item, wanted))}) for item in ranked]
    return sorted(marked, key=lambda item: -item.score)


def _marks(item: Statement, aspects: Sequence[Aspect]) -> float:
    if not aspects:
        return 0.0
    return sum(says(aspect, item.text) for aspect in aspects) / len(aspects)


def _tasks(
    request: WriteRequest, every: Sequence[Statement], used: Used, followed: Followed, meaning: Meaning
) -> Iterator[str]:
    """A section for every task that adds something; the others are listed with where their answer stands."""
    language = request.anchor.language
    rest: list[str] = []
    for todo in request.tasks:
        if not todo.id:
            continue
        own = [item for item in every if item.evidence.task == todo.id]
        ranked = rank(own, request.anchor.query, todo.text, language, meaning)
        above = [item for item in ranked[:PER_TASK] if item.score >= _LEAST and used.has(item)]
        chosen = _choose(_fitting(ranked, todo.text), used, PER_TASK)
        if chosen:
            yield f"## {_heading(todo.text)}\n\n"
            if above:
                yield f"{phrase(language, 'reasoning.task_done_above', places=_places(above))}\n\n"
            yield _bullets(chosen, language, used, followed)
        elif above:
            rest.append(phrase(language, "reasoning.task_above", task=_heading(todo.text), places=_places(above)))
        else:
            rest.append(phrase(language, "reasoning.task_empty", task=_heading(todo.text)))
    if rest:
        yield f"## {phrase(language, 'reasoning.tasks_rest')}\n\n"
        yield "".join(f"- {line}\n" for line in rest) + "\n"


def _places(items: Sequence[Statement]) -> str:
    return "; ".join(dict.fromkeys(_flat(place(item.evidence)) for item in items))


def _exceptions(
    request: WriteRequest, every: Sequence[Statement], used: Used, followed: Followed, meaning: Meaning
) -> Iterator[str]:
    anchor = request.anchor
    marked = [item for item in every if says("exceptions", item.text)]
    ranked = rank(marked, anchor.query, anchor.query, anchor.language, meaning)
    chosen = _choose(ranked, used, PER_EXTRA)
    if chosen:
        yield f"## {phrase(anchor.language, 'reasoning.conditions')}\n\n"
        yield _bullets(chosen, anchor.language, used, followed)


def _followed(request: WriteRequest, used: Used, followed: Followed) -> Iterator[str]:
    """What references led to and no sentence above has shown yet, the best sentence of each place."""
    language = request.anchor.language
    fresh = [item for item in followed.best() if not followed.shown(item) and used.take(item)]
    chosen = sorted(fresh, key=lambda item: (-item.evidence.score, item.evidence.depth, item.evidence.key))
    if chosen:
        yield f"## {phrase(language, 'reasoning.references')}\n\n"
        yield f"{phrase(language, 'reasoning.references_intro')}\n\n"
        yield _bullets(chosen[:PER_FOLLOWED], language, used, followed)


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


def _choose(ranked: Sequence[Statement], used: Used, limit: int) -> list[Statement]:
    """The best that has not been said, as long as it is nearly as good as the best of that."""
    chosen: list[Statement] = []
    fresh = [item for item in ranked if not used.has(item)]
    floor = max(_WORTH * fresh[0].score, _LEAST) if fresh else 0.0
    for item in fresh:
        if len(chosen) == limit or item.score < floor:
            break
        if used.take(item):
            chosen.append(item)
    return chosen


def _bullets(chosen: Sequence[Statement], language: str, used: Used, followed: Followed) -> str:
    """Statements grouped by place; under each what the references in them led to."""
    lines: list[str] = []
    for label, items in _by_label(chosen, language).items():
        lines.append(f"- **{label}:** {' '.join(_cited(item, language) for item in items)}\n")
        below = [item for item in followed.of(items) if used.take(item)]
        lines += [
            f"  - **{name}:** {' '.join(_cited(item, language) for item in own)}\n"
            for name, own in _by_label(below, language).items()
        ]
    return "".join(lines) + "\n" if lines else ""


def _by_label(items: Sequence[Statement], language: str) -> dict[str, list[Statement]]:
    """In the order of their first mention; within a place in the order of the text."""
    groups: dict[str, list[Statement]] = {}
    for item in items:
        groups.setdefault(_label(item.evidence, language), []).append(item)
    return {name: sorted(own, key=lambda item: (item.evidence.start, item.text)) for name, own in groups.items()}


def _cited(item: Statement, language: str) -> str:
    return f"{_words(item, language)} [{item.evidence.key}]"


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

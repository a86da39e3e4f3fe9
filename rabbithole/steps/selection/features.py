"""Computes the features of answer sentences: one row of numbers for each sentence of each unit. Pure functions.

Embedding features are relative to the other candidates of the same question, so that one model works for all
embeddings. Word features are given both absolutely and relative to the other candidates.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from rabbithole.kb.notation.codes import as_spelled
from rabbithole.steps.reasoning.text.terms import stems

from .expected import announces, figure_needed, holds, new_figures, new_names, states_figure, states_purpose
from .matching import Matcher
from .models import QuestionPart
from .nearness import Floats, Nearness, percentile
from .numbered_names import is_of_another_number, numbers_asked
from .question import is_negated
from .sentence_rows import Row
from .units.candidate_units import Opened
from .weighted_question import Question, names_said

_FRONT_MATTER = re.compile(
    r"\b(?:acknowledge?ments?|foreword|preface|about (?:this|the)|copyright|trademarks?|revision history|"
    r"document history|change ?log|table of contents|list of (?:figures|tables)|danksagung|vorwort|impressum|"
    r"inhaltsverzeichnis|änderungshistorie|abbildungsverzeichnis|tabellenverzeichnis)\b",
    re.IGNORECASE,
)
_LINE = 9
"""Maximum number of words of a line that may be a heading."""

NAMES: tuple[str, ...] = (
    "said_sentence",
    "said_unit",
    "said_around",
    "said_head",
    "said_heading",
    "said_path",
    "said_title",
    "said_everywhere",
    "title_gap",
    "rarest",
    "second_rarest",
    "together",
    "together_unit",
    "bm25_sentence",
    "bm25_unit",
    "gap_sentence",
    "gap_unit",
    "bm25_rank",
    "near_sentence",
    "near_unit",
    "near_passage",
    "gap_near_sentence",
    "gap_near_unit",
    "near_rank",
    "search_score",
    "search_rank",
    "holds_kind",
    "asks_figure",
    "new_figures",
    "new_names",
    "negation",
    "first_sentence",
    "first_unit",
    "length_sentence",
    "length_unit",
    "listed",
    "tabled",
    "defines",
    "begins_with_term",
    "outdated",
    "named",
    "names_said",
    "announces",
    "broken_off",
    "headline",
    "front_matter",
    "like_sentence",
    "like_unit",
    "like_around",
    "like_heading",
    "like_everywhere",
    "like_gap",
    "like_together",
    "like_bm25",
    "like_bm25_gap",
    "whole_sentence",
    "whole_unit",
    "whole_everywhere",
    "whole_bm25",
    "whole_gap",
    "near_whole_sentence",
    "near_whole_unit",
    "gap_near_whole_unit",
    "heading_asked",
    "another_number",
    "lacks_acronym",
)


_TERM_WORDS = 6
_MOST_OF_TERM = 0.6
"""A unit begins with a term if its first words contain this share of it, by rarity."""
_ACRONYM = re.compile(r"[A-Z][A-Z-]{2,}s?")
_SEVERAL, _IN_TITLE = 2, 0.5
_MOST_OF_HEADING = 0.6
"""A section is asked for by its heading if this says more than this share of the question's words, by rarity."""


def features(question: Question, opened: Sequence[Opened], rows: Sequence[Row], nearness: Nearness) -> Floats:
    """Return a table with a row for each of ``rows`` and a column for each of ``NAMES``."""
    if not rows:
        return np.zeros((0, len(NAMES)))
    part, matcher = question.part, question.matcher
    language = part.language
    unit_stems = [
        stems(as_spelled(f"{one.unit.head}\n{one.unit.text}" if one.unit.head else one.unit.text, part.text), language)
        for one in opened
    ]
    unit_said = [matcher.strengths(each) for each in unit_stems]
    said_of = {text: matcher.strengths(stems(text, language)) for one in opened for text in _above(one)}
    titles = [matcher.coverage(said_of[one.title], said_of[one.front]) for one in opened]
    defining = [_begins_with_term(question, one) for one in opened]
    best_title = max(titles, default=0.0)
    figure = figure_needed(part)
    stated = [figure is None or states_figure(figure, one.unit.text, part.text) for one in opened]
    numbers = numbers_asked(part)
    another = [is_of_another_number(part, numbers, with_headings(one)) for one in opened]
    lacking = _lacks_acronym(part, opened)
    names = [names_said(question, one, own) for one, own in zip(opened, unit_stems, strict=True)]
    sentence_stems = [stems(as_spelled(row.text, part.text), language) for row in rows]
    average_sentence = float(np.mean([len(each) for each in sentence_stems]))
    average_unit = float(np.mean([len(each) for each in unit_stems]))
    bm25_units = np.array([matcher.bm25(each, average_unit) for each in unit_stems])
    bm25 = np.array([matcher.bm25(each, average_sentence) for each in sentence_stems])
    together_units = [matcher.together(each, question.pairs) for each in unit_stems]
    scale = sum(matcher.weights.values()) or 1.0
    whole_scale = sum(question.whole.weights.values()) or 1.0
    whole_bm25 = np.array([question.whole.bm25(each, average_unit) for each in unit_stems]) / whole_scale
    whole_said = [question.whole.strengths(each) for each in unit_stems]
    whole_of = {text: question.whole.strengths(stems(text, language)) for text in said_of}
    like = Matcher(matcher.weights, nearness.words) if nearness.words else matcher
    unit_like = [like.strengths(each) for each in unit_stems]
    like_of = {text: like.strengths(stems(text, language)) for text in said_of}
    like_bm25 = np.array([like.bm25(each, average_sentence) for each in sentence_stems])
    table = np.zeros((len(rows), len(NAMES)))
    for at, (row, own_stems) in enumerate(zip(rows, sentence_stems, strict=True)):
        one = opened[row.opened]
        own = matcher.strengths(own_stems)
        whole = unit_said[row.opened]
        around_stems = (*stems(row.before, language), *own_stems, *stems(row.after, language))
        around = matcher.strengths(around_stems)
        head, heading, path, title, front = (said_of[text] for text in _above(one))
        everywhere = (whole, head, heading, path, title, front)
        rarest = [max(each.get(stem, 0.0) for each in (whole, heading)) for stem in question.rarest]
        kind = holds(part.answer_type, row.text)
        like_own, like_whole = like.strengths(own_stems), unit_like[row.opened]
        like_around = like.strengths(around_stems)
        like_texts = [like_of[text] for text in _above(one)]
        negated = is_negated(row.text)
        table[at] = (
            matcher.coverage(own),
            matcher.coverage(whole),
            matcher.coverage(around),
            matcher.coverage(head),
            matcher.coverage(heading),
            matcher.coverage(path),
            titles[row.opened],
            matcher.coverage(*everywhere),
            titles[row.opened] - best_title,
            rarest[0] if rarest else 0.0,
            rarest[1] if len(rarest) > 1 else (rarest[0] if rarest else 0.0),
            matcher.together(own_stems, question.pairs),
            together_units[row.opened],
            bm25[at] / scale,
            bm25_units[row.opened] / scale,
            (bm25[at] - bm25.max()) / scale,
            (bm25_units[row.opened] - bm25_units.max()) / scale,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            one.candidate.score,
            1.0 / (1.0 + one.candidate.rank),
            0.0 if part.answer_type == "open" else (1.0 if kind else -1.0),
            float(question.asks_figure),
            math.log1p(new_figures(part.text, row.text)) * (1.0 if question.asks_figure else 0.3),
            math.log1p(new_names(part.text, row.text)) * (1.0 if part.answer_type in ("person", "place") else 0.3),
            (1.0 if negated else -1.0) if part.negated else (-0.3 if negated else 0.0),
            float(row.ordinal == 0),
            float(one.unit.index == 0),
            math.log1p(len(row.text)),
            math.log1p(len(one.unit.text)),
            float(one.unit.kind in ("list", "item", "steps"))
            * (1.0 if part.answer_type in ("list", "procedure") else 0.3),
            float(one.unit.kind == "table"),
            float(part.answer_type == "definition" and holds("definition", row.text)),
            float(row.ordinal == 0 and defining[row.opened]),
            float(one.outdated),
            _scope(part, one),
            names[row.opened],
            float(announces(row.text) or states_purpose(row.text, part.text)),
            float(row.ordinal == 0 and one.unit.text[:1].islower() and one.unit.text[1:2] not in ").("),
            float(is_headline(one)),
            float(_FRONT_MATTER.search(f"{one.path} {one.heading}") is not None),
            like.coverage(like_own),
            like.coverage(like_whole),
            like.coverage(like_around),
            like.coverage(like_texts[0], like_texts[1]),
            like.coverage(like_whole, *like_texts),
            0.0,
            like.together(own_stems, question.pairs),
            like_bm25[at] / scale,
            (like_bm25[at] - like_bm25.max()) / scale,
            question.whole.coverage(question.whole.strengths(own_stems)),
            question.whole.coverage(whole_said[row.opened]),
            question.whole.coverage(whole_said[row.opened], *(whole_of[text] for text in _above(one))),
            whole_bm25[row.opened],
            whole_bm25[row.opened] - whole_bm25.max(),
            0.0,
            0.0,
            0.0,
            heading_asked(question, heading, title) * stated[row.opened],
            float(another[row.opened]),
            float(lacking[row.opened]),
        )
    likes = table[:, NAMES.index("like_sentence")]
    table[:, NAMES.index("like_gap")] = likes - likes.max()
    table[:, NAMES.index("bm25_rank")] = percentile(bm25)
    for name, column in nearness.columns([row.opened for row in rows]):
        table[:, NAMES.index(name)] = column
    return table


def _lacks_acronym(part: QuestionPart, opened: Sequence[Opened]) -> list[bool]:
    """Return for each unit whether it lacks an acronym of the question that another unit, or what is above it, has."""
    asked = [re.compile(rf"(?<!\w){re.escape(name)}") for name in part.names if _ACRONYM.fullmatch(name)]
    lacks = [any(not name.search("\n".join((one.unit.text, *_above(one)))) for name in asked) for one in opened]
    return lacks if not all(lacks) else [False] * len(lacks)


def with_headings(one: Opened) -> str:
    """Return a unit's text below its document's title, its headings and the head of its list."""
    return f"{one.title}\n{one.path}\n{one.heading}\n{one.unit.head}\n{one.unit.text}"


def _above(one: Opened) -> tuple[str, str, str, str, str]:
    """Return the texts above a unit: list head, section heading, headings further up, document title and opening."""
    return one.unit.head, one.heading, one.path, one.title, one.front


def _begins_with_term(question: Question, one: Opened) -> bool:
    """Return whether a unit begins with the term whose meaning is asked for, as entries of glossaries do."""
    part = question.part
    if part.answer_type != "definition":
        return False
    asked = Matcher({term.stem: question.idf[term.stem] for term in part.terms if term.weight > 0})
    first = " ".join(one.unit.text.split()[:_TERM_WORDS])
    return asked.coverage(asked.strengths(stems(first, part.language))) >= _MOST_OF_TERM


def heading_asked(question: Question, heading: Mapping[str, float], title: Mapping[str, float]) -> float:
    """Return how much more than most of a question the heading says, 0-1: it is asked for by its heading.

    ``heading`` and ``title`` tell how strongly these express each of the question's words. What the title has is the
    subject of the document. One other word alone is the subject of many sections.
    """
    rest = {stem: weight for stem, weight in question.matcher.weights.items() if title.get(stem, 0.0) < _IN_TITLE}
    if len(rest) < _SEVERAL:
        return 0.0
    said = sum(weight * heading.get(stem, 0.0) for stem, weight in rest.items()) / sum(rest.values())
    return max(0.0, said - _MOST_OF_HEADING) / (1.0 - _MOST_OF_HEADING)


def is_headline(one: Opened) -> bool:
    """Return whether a unit is one short line that ends no sentence, such as a heading, a date or a running header."""
    unit = one.unit
    bare = unit.kind in ("paragraph", "definition") and not unit.head
    return bare and len(unit.text.split()) <= _LINE and unit.text.rstrip()[-1:] not in ".;:!?)"


def _scope(part: QuestionPart, one: Opened) -> float:
    """Return how well a unit fits the scope: 1 for a place the question names, 0.5 in and -1 outside its documents."""
    if one.candidate.origin == "named":
        return 1.0
    if not part.documents:
        return 0.0
    return 0.5 if one.unit.document in part.documents else -1.0

"""Which sentences of a long passage are shown: the best with its neighbours, and the rule it belongs to. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.selection import RankedUnit
from rabbithole.steps.selection.units.item_markers import PARAGRAPH, marker_of
from rabbithole.steps.selection.units.unit_lines import only_counts

from .dangling import dangles

COUNTED = 80
"""Maximum number of words of an excerpt that must have more than its best sentence: what this counts or belongs to."""
_LONGEST_RULE = 60
"""Maximum number of words of a rule that is shown above an excerpt of its paragraph."""
_ROOM = 20
"""Number of words by which an excerpt with such a rule may be longer than others."""
_RULES = re.compile(
    r"\b(?:must|shall|may (?:not|only)|cannot|(?:is|are) (?:not )?(?:prohibited|forbidden|required|permitted|allowed)|"
    r"darf|dürfen|muss|muß|müssen|(?:ist|sind)\b.{0,80}\b(?:verboten|untersagt|(?:un)?zulässig|verpflichtet)|"
    r"(?:hat|haben|ist|sind)\b[^.]*\b(?:zu [a-zäöüß]+n|\w{2,}zu[a-zäöüß]{2,}en))\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"(?:Ausgenommen|Abweichend|Ausnahmen?|Hiervon|Davon)\b"
    r"|(?:\W*[\w.]+){0,6}?\W+(?:gilt|gelten|findet|finden) (?:\w+ ){0,3}?(?:nicht|keine)\b"
    r"|[^.]{0,200}\babweichend von (?:Satz|Absatz)\b"
    r"|(?:Except|Exceptions?|Notwithstanding|Unless)\b|(?:\W*\w+){1,5}?\W+(?:does|do|shall) not apply\b"
)
_GOES_ON = re.compile(
    r"(?:For (?:example|instance)|E\.\s?g\.|Zum Beispiel|Beispielsweise|Z\.\s?B\.|Moreover|Otherwise|These|Those|"
    r"Andernfalls|Ansonsten|Sonst|Diese|Außerdem|Zudem|Ferner|Darüber hinaus)(?!\w)"
)
CONTINUED = 60
"""Maximum number of words of what goes on behind a quotation with the same thing: an example, a further case."""


class ExcerptSpan(NamedTuple):
    """The span of an excerpt in its document, and that of the rule of its paragraph if it does not begin with it."""

    start: int
    end: int
    rule: tuple[int, int] | None = None


def is_rule(text: str) -> bool:
    """Return whether a sentence says what must, may or must not be done, and is short enough to stand above others."""
    return len(text.split()) <= _LONGEST_RULE and _RULES.search(text) is not None


def is_exception(text: str) -> bool:
    """Return whether a sentence takes something out of the rule before it: 'Dies gilt nicht für ...'."""
    return _EXCEPTION.match(text.lstrip()) is not None


def belonging_after(text: str, words: int) -> str:
    """Return the sentences at the beginning of ``text``, up to the end of its line, that belong to what is before it.

    ``text`` is what follows a quotation. Exceptions are returned as far as all have at most ``words`` words; an
    example, and a sentence that adds a case or says what else holds, up to ``CONTINUED`` words.
    """
    line = text.partition("\n")[0]
    last = 0
    for one in sentences(line):
        most = words if is_exception(one.text) else CONTINUED if _goes_on(one.text) else 0
        if len(line[: one.end].split()) > most:
            break
        last = one.end
    return line[:last]


def _goes_on(text: str) -> bool:
    """Return whether a sentence goes on with what is said before it and is no lead-in."""
    return _GOES_ON.match(text.lstrip()) is not None and not text.rstrip().endswith(":")


def around_best(ranked: RankedUnit, words: int, known: str = "") -> ExcerptSpan:
    """Return the best sentence with its neighbours up to ``words`` words, the better-scored side first.

    If the best sentence only says how many things follow, they come before what stands above it, up to ``COUNTED``;
    what it refers back to and a following exception come before other neighbours. The rule that its paragraph begins
    with is shown too: an exception alone would read as the opposite. ``known`` is the heading above it.
    """
    unit = ranked.unit
    spans = [(unit.start + one.start, unit.start + one.end) for one in sentences(unit.text)]
    scores = {(one.start, one.end): one.score for one in ranked.sentences}
    best = ranked.sentences[0]
    best_at = next((at for at, span in enumerate(spans) if span[0] <= best.start < span[1]), None)
    if best_at is None:
        return ExcerptSpan(best.start, best.end)
    low = high = best_at

    def said(first: int, last: int) -> str:
        return unit.text[spans[first][0] - unit.start : spans[last][1] - unit.start]

    def fits(first: int, last: int, most: int = words) -> bool:
        return len(said(first, last).split()) <= most

    more = max(words, COUNTED)
    if only_counts(said(low, low)):
        while high + 1 < len(spans) and fits(low, high + 1, more):
            high += 1
    while low > 0 and dangles(said(low, high), said(low - 1, low - 1), known) and fits(low - 1, high, more):
        low -= 1
    if high + 1 < len(spans) and is_exception(said(high + 1, high + 1)) and fits(low, high + 1):
        high += 1
    rule = _rule_at(unit.text, [(start - unit.start, end - unit.start) for start, end in spans], low)
    if rule is not None and fits(rule, high):
        low, rule = rule, None
    room, least = words, 0
    if rule is not None:
        taken = len(said(rule, rule).split())
        if taken + len(said(low, high).split()) <= more:
            room, least = words + _ROOM - taken, rule + 1
        else:
            rule = None
    while beside := [
        at for at in (low - 1, high + 1) if least <= at < len(spans) and fits(min(at, low), max(at, high), room)
    ]:
        chosen = max(beside, key=lambda at: (rule is not None and at < low, scores.get(spans[at], 0.0), at))
        low, high = min(low, chosen), max(high, chosen)
    high -= high > best_at and only_counts(said(high, high))
    if rule is not None and low == rule + 1:
        low, rule = rule, None
    return ExcerptSpan(spans[low][0], spans[high][1], None if rule is None else spans[rule])


def _rule_at(text: str, spans: list[tuple[int, int]], low: int) -> int | None:
    """Return the first sentence of the paragraph of a sentence if it is a rule; None if the sentence is the first.

    The paragraph is the line, or all lines since the last number "(2)".
    """
    head = text[: spans[low][0] + 1]
    begins = head.rfind("\n") + 1
    if marker_of(text) == PARAGRAPH:
        while begins and marker_of(text[begins:]) != PARAGRAPH:
            begins = text.rfind("\n", 0, begins - 1) + 1
    first = next((at for at, span in enumerate(spans) if span[1] > begins), low)
    if first >= low:
        return None
    rule = text[max(begins, spans[first][0]) : spans[first][1]]
    return first if is_rule(rule) else None

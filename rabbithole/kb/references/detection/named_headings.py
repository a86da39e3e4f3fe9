"""Finds sections named by their headings: 'see the "Soft" Calibration section below', 'im Abschnitt Ergänzungen'. Pure.

The words beside "section" or "chapter" must be those of a heading of the same document, in order, case and quotes
aside. Of a long heading one word may be missing. Of several headings with the same words, "above" and "below" and the
sections around the mention decide; if they do not, nothing is found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rabbithole.kb.models import Reference, Section
from rabbithole.kb.references.grammar.exclusions import is_listing

from .reference_spans import ReferenceSpans

_UNIT = re.compile(
    r"(?<![\w-])(?P<english>(?:[Ss]ubs|[Ss])ection|[Cc]hapter|[Aa]ppendix)(?![\w-])|"
    r"(?<![\w-])(?:Unterabschnitt|Abschnitt|Kapitel|Anhang)(?:e?s)?(?![\w-])"
)
_ABOUT = re.compile(
    r"\s{1,2}(?:below |above |weiter unten |unten |oben )?"
    r"(?P<link>(?:(?:on|about|called|entitled|titled|named|headed|über|zum|zur|zu|namens|mit dem Titel"
    r"|mit der Überschrift)\s)?)"
    r"(?P<article>(?:(?:the|a|an|der|die|das|den|dem)\s)?)"
)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_QUOTES = "\"'„“”»«‚‘’›‹`*_"
_OPENING = _QUOTES + "([ "
_SMALL = frozenset("the a an der die das den dem des of for to in on and und von zu zur zum im für".split())
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")
_BREAK = re.compile(r"[.!?;]\s|\n\s*\n|[|•]")
_ABOVE = re.compile(r"\W{0,3}(?:above|oben|earlier|weiter oben)\b")
_BELOW = re.compile(r"\W{0,3}(?:below|unten|later|weiter unten)\b")
_ELSEWHERE = re.compile(
    r"[^\n.;]{0,4}\s(?:of|in|from|von|des|der|im|aus)\s(?!this\b|diese)(?:[^\s.,;]+\s){0,5}?[^\s.,;]*"
    r"(?:[Mm]anual|[Gg]uide|[Hh]andbook|[Dd]ocumentation|[Bb]ook|[Ss]pecification|[Hh]andbuchs?|[Dd]okumentation|RFC|\[)",
)
_ENDS = re.compile(
    r"[.,;:)\]]|\s?(?:\Z|\n|\()|\s(?:for|below|above|on|and|or|to|of this|in this|describes?|explains?|shows?"
    r"|has|contains?|gives?|is|"
    r"oben|unten|weiter|und|oder|in|auf|dieses|dieser|lesen|gehen|nach|beschr\w+|erl\w+|gen\w+|gez\w+|beh\w+|find\w+|steht|"
    r"zeigt|wird|werden|ist|sind|näher|ausführlich\w*|genauer)(?!\w)"
)
"""What may follow a heading of one word without quotation marks; other words may go on with its name."""
_OF_OTHERS = re.compile(r"\s(?:of|in)\s(?!this\b|these\b|the\s(?:present|manual|guide)\b)")
"""What follows 'the References section' if it is a part that many things have: 'of security controls'."""
_CITED = re.compile(
    r"(?:\b(?:[Ss]ee(?:\s(?:also|especially))?|[Rr]efer(?:\sback)?\sto|[Cc]onsult|[Rr]ead|[Cc]f\.|\w{3,}(?:ed|wn|nd|en)\s(?:in|by|under|from))\s{1,2}"
    r"(?:the\s{1,2}(?:\w+\s{1,2})?)?|\()\Z"
)
"""What stands before 'Storage section' where it refers to that section of the same text."""
_PLACED = re.compile(r"\s{1,2}(?:above|below|\(|on page|of this|in this)")
_INDEFINITE = re.compile(r"\b(?:an?|new|any|each|every|no)\s{1,2}\Z", re.IGNORECASE)
_REACH = 140
"""Characters beside the word for section in which the heading must stand."""
_LONGEST = 14
"""Maximum number of words of a heading."""
_MAY_LACK = 4
"""Least number of words of a heading of which one may be missing."""
_SHORTEST = 4
"""Least number of letters of a heading of one word."""


class _Heading(NamedTuple):
    words: tuple[str, ...]
    section: Section


class _Said(NamedTuple):
    """Words beside a word for section: where they begin and end in the text, and in small letters."""

    start: int
    end: int
    word: str


def named_headings(text: str, outline: Sequence[Section], found: Iterable[Reference]) -> list[Reference]:
    """Return the references to sections by their headings that overlap none of those ``found``."""
    headings = [each for section in outline for each in _spelled(section)]
    if not headings:
        return []
    first: dict[str, list[_Heading]] = defaultdict(list)
    last: dict[str, list[_Heading]] = defaultdict(list)
    for heading in headings:
        first[heading.words[0]].append(heading)
        last[heading.words[-1]].append(heading)
    starts = {section.start for section in outline}
    taken, last_end = ReferenceSpans(list(found)), 0
    places = _Outline(outline)
    references: list[Reference] = []
    for unit in _UNIT.finditer(text):
        if places.in_heading(unit.start()) or unit.start() < last_end or taken.overlapping(*unit.span()):
            continue
        mention = _behind(text, unit, first, starts) or (_before(text, unit, last) if unit["english"] else None)
        if mention is None:
            continue
        start, end, sections = mention
        if start < last_end or taken.overlapping(start, end) or is_listing(text, end) or _ELSEWHERE.match(text, end):
            continue
        section = places.meant(sections, unit.start(), text[end : end + 20])
        if section is not None:
            last_end = end
            references.append(
                Reference(
                    start=start, end=end, text=text[start:end], kind="section", target=section.label,
                    page=section.page, goal=section.start,
                )
            )  # fmt: skip
    return references


def _spelled(section: Section) -> Iterator[_Heading]:
    """Yield the heading's words, and those without an explanation in parentheses at its end."""
    for heading in dict.fromkeys((section.heading, _PARENTHESIS.sub("", section.heading))):
        words = tuple(_TOKEN.findall(heading.casefold()))
        letters = sum(map(len, words))
        if words and len(words) <= _LONGEST and letters >= _SHORTEST and not all(each in _SMALL for each in words):
            yield _Heading(words, section)


def _behind(
    text: str, unit: re.Match[str], first: dict[str, list[_Heading]], starts: Collection[int]
) -> tuple[int, int, list[Section]] | None:
    """Read a heading behind the word for section: 'the section on Battery Life', 'Abschnitt „Ergänzungen“'."""
    about = _ABOUT.match(text, unit.end())
    if about is None:
        return None
    for at in dict.fromkeys((about.start("article"), about.end())):
        begin = at + len(text[at : at + 3]) - len(text[at : at + 3].lstrip(_OPENING))
        said = _said(text, begin, min(len(text), begin + _REACH))
        if not said or said[0].start != begin or begin in starts:
            continue
        fitting, used = _longest(said, first.get(said[0].word, ()))
        if not fitting:
            continue
        end = said[used - 1].end
        quoted = text[begin - 1] in _QUOTES and text[end : end + 1] in _QUOTES
        if not quoted and not _stands_alone(text, unit.end(), said[:used], bool(about["link"]), fitting[0].section):
            continue
        end += quoted
        return unit.start(), end, [each.section for each in fitting]
    return None


def _before(text: str, unit: re.Match[str], last: dict[str, list[_Heading]]) -> tuple[int, int, list[Section]] | None:
    """Read a heading before the word for section: 'the "Soft" Runtime Calibration section'."""
    if re.match(r"\s{1,2}(?:\d|[A-Z]\b|[IVX]+\b)", text[unit.end() : unit.end() + 6]):
        return None
    at = unit.start()
    gap = text[max(0, at - 3) : at]
    close = at - len(gap) + len(gap.rstrip(_QUOTES + " \n"))
    said = _said(text, max(0, at - _REACH), at)
    if close == at or not said or said[-1].end != close:
        return None
    backwards = said[::-1]
    turned = [_Heading(each.words[::-1], each.section) for each in last.get(backwards[0].word, ())]
    fitting, used = _longest(backwards, turned)
    if not fitting:
        return None
    start = backwards[used - 1].start
    quoted = text[close] in _QUOTES and text[start - 1 : start] in _QUOTES
    opened = text[start - 1 : start] in _QUOTES and start > 0
    words = text[start:close]
    if not quoted and not opened and not _capital(words, fitting[0].section, used):
        return None
    cited = _CITED.search(text, max(0, start - 60), start) or _PLACED.match(text, unit.end())
    if not opened and (not cited or _goes_back(text, start)):
        return None
    if _OF_OTHERS.match(text, unit.end()) or _INDEFINITE.search(text, max(0, start - 12), start - opened):
        return None
    return start - opened, unit.end(), [each.section for each in fitting]


def _said(text: str, start: int, end: int) -> list[_Said]:
    """Return the words of a stretch of text, without a part of a word at its beginning."""
    tokens = [_Said(match.start(), match.end(), match[0].casefold()) for match in _TOKEN.finditer(text, start, end)]
    if start and text[start - 1].isalnum() and text[start].isalnum():
        tokens = tokens[1:]
    return tokens


def _longest(said: Sequence[_Said], headings: Iterable[_Heading]) -> tuple[list[_Heading], int]:
    """Return the longest headings that the words begin with, and how many of the words they take."""
    best: list[_Heading] = []
    most = 0, 0
    for heading in headings:
        used = _begins(said, heading.words)
        if used and (rank := (len(heading.words), used)) >= most:
            best = [*best, heading] if rank == most else [heading]
            most = rank
    return best, most[1]


def _begins(said: Sequence[_Said], words: Sequence[str]) -> int:
    """Return how many words of a text a heading takes; 0 if the text does not begin with it."""
    if tuple(each.word for each in said[: len(words)]) == tuple(words):
        return len(words)
    if len(words) < _MAY_LACK:
        return 0
    for lacking in range(1, len(words) - 1):
        rest = (*words[:lacking], *words[lacking + 1 :])
        if tuple(each.word for each in said[: len(rest)]) == rest:
            return len(rest)
    return 0


def _stands_alone(text: str, unit_end: int, said: Sequence[_Said], linked: bool, section: Section) -> bool:
    """Return whether unquoted words behind 'section' are a heading as a whole and not the start of something else."""
    words = text[said[0].start : said[-1].end]
    if "\n\n" in words or any(_BREAK.search(text, one.end, two.start + 1) for one, two in pairwise(said)):
        return False
    if len(said) == 1 and ("\n" in text[unit_end : said[0].start] or not _ENDS.match(text, said[-1].end)):
        return False
    return _capital(words, section, len(said)) or (linked and len(said) > 1 and bool(_ENDS.match(text, said[-1].end)))


def _capital(words: str, section: Section, count: int) -> bool:
    """Return whether a heading is written as a name: it begins with a capital, or with a word that has none."""
    if words[:1].isupper():
        return True
    return count > 1 and section.heading.lstrip(_OPENING).startswith(words[:1]) and not words[:1].isdigit()


def _goes_back(text: str, start: int) -> bool:
    """Return whether the name goes on to the left of the words: 'Advanced Configuration section'."""
    return re.search(
        r"(?:[A-Z][\w'’-]*|\d)[-\s]{1,2}\Z", text[max(0, start - 30) : start]
    ) is not None and not re.search(
        r"(?:\A|[.!?:\n(]\s{0,2})(?:See|The|In|Read|Please)\s{1,2}\Z", text[max(0, start - 12) : start]
    )


class _Outline:
    """The sections in reading order, to choose among headings of the same words."""

    def __init__(self, outline: Sequence[Section]) -> None:
        self._sections = sorted(outline, key=lambda section: (section.start, section.index))
        self._starts = [section.start for section in self._sections]
        self._by_id = {section.id: section for section in outline}

    def in_heading(self, at: int) -> bool:
        place = bisect_right(self._starts, at) - 1
        return place >= 0 and at < self._starts[place] + len(self._sections[place].label) + 2

    def meant(self, sections: Sequence[Section], at: int, after: str) -> Section | None:
        """Return the section meant among those of one heading, or None; never the one that the mention stands in."""
        around = self._around(at)
        left = list({each.id: each for each in sections if each.id not in around[:1]}.values())
        if _BELOW.match(after):
            return min((each for each in left if each.start > at), key=lambda each: each.start, default=None)
        if _ABOVE.match(after):
            return max((each for each in left if each.start < at), key=lambda each: each.start, default=None)
        if len(left) < len({each.id for each in sections}):
            return None  # the section it stands in speaks of itself
        if len(left) < 2:
            return left[0] if left else None
        near = [each for each in left if each.parent in around]
        return near[0] if len(near) == 1 else None

    def _around(self, at: int) -> tuple[str, ...]:
        """Return the ids of the sections around a place, from the inside out."""
        ids: list[str] = []
        place = bisect_right(self._starts, at) - 1
        section = self._sections[place] if place >= 0 else None
        while section is not None and section.id not in ids:
            ids.append(section.id)
            section = self._by_id.get(section.parent or "")
        return tuple(ids)

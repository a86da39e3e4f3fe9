"""Finds where a quotation stands in the evidence it cites, and the page on which it ends."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import LEFT_OUT, QuotePlace
from rabbithole.kb.place_names import is_paragraph
from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.text.markdown_tables import is_row

from .extraction import find_within

BETWEEN_LINES = 40
"""Maximum number of characters between lines that follow one another: white space, or the rule of a table."""
_LETTER = re.compile(r"[^\W\d_]")


class QuotedPlaces:
    """Finds quotations in the evidence of a report."""

    def __init__(self, kb: KnowledgeBase, evidence: Mapping[str, Evidence]) -> None:
        self._kb, self._evidence = kb, evidence

    def find(self, quote: str, known: list[str]) -> tuple[str, QuotePlace] | None:
        """Find the quotation in the cited evidence or, if nothing is cited, in any evidence.

        Evidence whose own span contains the words is preferred to evidence from the same document.
        """
        elsewhere: tuple[str, QuotePlace] | None = None
        for key in known or sorted(self._evidence):
            evidence = self._evidence[key]
            place = self._at(evidence, quote)
            if place is None:
                continue
            if evidence.start <= place.start and place.end <= evidence.end:
                return key, place
            elsewhere = elsewhere or (key, place)
        return elsewhere

    def _at(self, evidence: Evidence, quote: str) -> QuotePlace | None:
        words = quote.strip()
        for one in evidence.quotes:
            if one.place is not None and _same(one.text, words):
                return one.place
        if evidence.external:
            return None
        return find_within(self._kb, evidence, words)

    def find_lines(self, words: str, keys: list[str]) -> list[tuple[str, QuotePlace, str]]:
        """Find a quotation whose lines are apart in the document, such as a table's header and one row.

        Return evidence key, place and quoted words for each item of evidence, with a sign where the document has others
        between the lines; nothing unless each line is found.
        """
        lines = [line.strip() for line in words.splitlines() if _LETTER.search(line)]
        found = [(line, self.find(line, keys)) for line in lines]
        hits = [(place[0], place[1], line) for line, place in found if place is not None]
        if not hits or len(hits) < len(lines):
            return []
        places = [place for _, place, _ in hits]
        own: dict[str, tuple[str, QuotePlace, str]] = {}
        for hit in hits:
            if hit[1].start >= self._evidence[hit[0]].start:
                own.setdefault(hit[0], hit)
        if len(own) > 1:
            return [(key, through(place, places), line) for key, place, line in own.values()]
        parts, passage = [hits[0][2]], None
        for (_, before, _), after in itertools.pairwise(hits):
            # A short header may be found within the caption above it, which has the same words.
            follows = before.start <= after[1].start <= before.end + BETWEEN_LINES
            together = before.document == after[1].document and follows
            parts += [after[2]] if together else [LEFT_OUT, after[2]]
            passage = passage or (None if together else after)
        # The header of a table may be pages above its row: the passage itself begins after the first gap.
        key, place, _ = passage or next(iter(own.values()), hits[-1])
        begins = hits[0][1]
        if not is_row(hits[0][2]) and (begins.document, begins.section) == (place.document, place.section):
            place = begins
        return [(key, through(place, places), "\n".join(parts))]


def last_page(kb: KnowledgeBase, place: QuotePlace, quote: str) -> tuple[int | None, str]:
    """Return the page on which a quotation ends, and its label; None if it is the page on which it begins.

    The place of a quotation with words left out is that of one of its parts. Documents without pages have none.
    """
    *before, last = [part for part in quote.split(LEFT_OUT) if any(map(str.isalnum, part))] or [quote]
    if before and (end := kb.find_quote(place.document, last, page=place.page)) is not None:
        place = through(place, (end,))
    words = kb.text(place.document, place.start, place.end).rstrip()
    page, label = kb.page_of(place.document, place.start + max(0, len(words) - 1))
    return (page, label) if page > place.page and not is_paragraph(label) else (None, "")


def through(place: QuotePlace, lines: Iterable[QuotePlace]) -> QuotePlace:
    """Return the place extended to the last of the lines quoted with it from the same section."""
    ends = [one.end for one in lines if (one.document, one.section) == (place.document, place.section)]
    return place.model_copy(update={"end": max(place.end, *ends)}) if ends else place


def _same(left: str, right: str) -> bool:
    return "".join(left.split()) == "".join(right.split())

"""Quotes a passage with the evidence it is cited as: its page, its place, and what was read there before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import QuotePlace
from rabbithole.steps.models import Evidence, Quote
from rabbithole.steps.page_names import letters_of
from rabbithole.steps.phases.reading_units import Reading, open_reading
from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.selection.units.debris import date_line

from .passage_text import begins_within, goes_on, is_heading_of, is_item_number, lead_in, rest_of_line

_AFTER, _LINE = 120, 2000
"""Characters after a passage and before it that show whether its paragraph goes on there."""
_NOTE_NUMBER = re.compile(r"\s*[⁰¹²³⁴-⁹]{1,3}\s*(?=\S)")


class QuotedEvidence:
    """Makes quoted passages. Places that were already read keep their evidence keys."""

    def __init__(self, kb: KnowledgeBase, evidence: Sequence[Evidence] = ()) -> None:
        self._kb = kb
        self._known = [one for one in evidence if not one.external]

    def passage(
        self, document: str, section: str | None, start: int, end: int, text: str, **given: object
    ) -> QuotedPassage:
        """Return a passage of a document; ``given`` are the other fields of ``QuotedPassage``.

        The raised number that a footnote begins with is left out: it belongs to the text that calls the note. So are
        the line of the section's heading, which the label above the quotation has, and the date line of a document that
        stands before its first sentence.
        """
        number = _NOTE_NUMBER.match(text)
        if skipped := self._heading(section, start, text) or (number.end() if number else date_line(text, start)):
            start, text = start + skipped, text[skipped:]
            bold = given.get("bold")
            if isinstance(bold, tuple):
                given["bold"] = tuple((max(0, a - skipped), b - skipped) for a, b in bold if b > skipped)
        last_page, last_label = self._kb.page_of(document, max(start, start + len(text.rstrip()) - 1))
        if section is not None and self._is_heading(section, str(given.get("head", ""))):
            given["head"] = ""  # the heading line above the passage already says it
        head_start, head = given.get("head_start"), str(given.get("head", ""))
        item, item_start = str(given.get("item", "")), given.get("item_start")
        first = start
        if item and isinstance(item_start, int) and not is_item_number(item):
            given["skips"] = self._has_words(document, item_start + len(item), start)
            first = item_start
        elif head and isinstance(head_start, int) and given.get("kind") != "table":
            given["skips"] = self._has_words(document, head_start + len(head), start)
        cut_off = bool(given.get("goes_on")) or (given.get("why") == "named" and bool(given.get("cut")))
        given["goes_on"] = cut_off or goes_on(text, self._kb.text(document, end, end + _AFTER))
        if given.get("kind") != "table":
            given["broken_off"], given["begins_within"] = self._cuts(document, section, start, start + len(text))
        given["head"] = lead = lead_in(head)
        if isinstance(head_start, int):
            given["head_start"] = head_start + len(head) - len(lead)
            if lead and given.get("kind") != "table":  # the header of a table may be pages above the row
                first = min(first, head_start + len(head) - len(lead))
        page, label = self._kb.page_of(document, first)
        evidence = self._evidence(document, section, start, end, text)
        return QuotedPassage.model_validate(
            {
                "evidence": evidence,
                "text": text,
                "start": start,
                "end": end,
                "page": page,
                "page_label": label,
                "last_page": last_page,
                "last_page_label": last_label,
                **given,
            }
        )

    def _heading(self, section: str | None, start: int, text: str) -> int:
        """Return the length of the line of the section's heading with which a passage begins; 0 if it does not."""
        if section is None or start > self._kb.section_by_id(section).start:
            return 0
        line, _, below = text.lstrip().partition("\n")
        return len(text) - len(below.lstrip()) if below.strip() and self._is_heading(section, line) else 0

    def _is_heading(self, section: str, line: str) -> bool:
        whole = self._kb.section_by_id(section)
        return is_heading_of(line, whole.label, whole.heading)

    def _cuts(self, document: str, section: str | None, start: int, end: int) -> tuple[bool, bool]:
        """Return whether the last line of a passage goes on after it, and whether its first line begins before it."""
        whole = None if section is None else self._kb.section_by_id(section)
        low = max(0, start - _LINE) if whole is None else min(start, max(whole.start, start - _LINE))
        high = end + _AFTER if whole is None else max(end, min(whole.own_end, end + _AFTER))
        label = "" if whole is None else letters_of(whole.label)
        before, after = self._kb.text(document, low, start), self._kb.text(document, end, high)
        return rest_of_line(after), begins_within(before, label)

    def _has_words(self, document: str, start: int, end: int) -> bool:
        """Return whether anything stands between two places, of which the first may come after the second."""
        return start < end and bool(self._kb.text(document, start, end).strip())

    def _evidence(self, document: str, section: str | None, start: int, end: int, text: str) -> Evidence:
        """Return the evidence for this place with the quotation added; open the place if it was not read before."""
        page, label = self._kb.page_of(document, start)
        place = QuotePlace(document=document, start=start, end=end, page=page, page_label=label, section=section)
        quote = Quote(text=text, place=place)
        holding = [one for one in self._known if one.document == document and one.start <= start and end <= one.end]
        read = min(holding, key=lambda one: (one.depth, one.task, one.end - one.start, one.key), default=None)
        same = [one for one in holding if one.section == section]
        if same:
            best = min(same, key=lambda one: (one.depth, one.task, one.end - one.start, one.key))
            return best.model_copy(update={"quotes": (quote, *best.quotes)})
        reading = Reading(document=document, section=section, start=start, end=end, score=1.0)
        depth, chain = (read.depth, read.chain) if read else (0, ())
        opened, _ = open_reading(self._kb, 0, reading, depth=depth, chain=chain)
        return opened.model_copy(update={"info": " ".join(text.split()), "quotes": (quote,), "score": 1.0})

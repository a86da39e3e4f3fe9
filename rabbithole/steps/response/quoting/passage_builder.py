"""Turns a chosen unit into a passage to quote: the evidence it is cited as and the words that answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Section
from rabbithole.steps.models import Evidence
from rabbithole.steps.page_names import letters_of
from rabbithole.steps.question import NamedPlace
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.response.informs import informs, is_repeated
from rabbithole.steps.response.models import QuotedPassage, Why
from rabbithole.steps.selection import QuestionPart, RankedUnit
from rabbithole.steps.selection.models import AnswerUnit, UnitKind
from rabbithole.steps.selection.units.unit_splitting import split

from .dangling import dangles, names_one_before, points_back
from .excerpt_span import COUNTED, around_best
from .joined_passages import joined
from .other_question import answer_to_another
from .passage_text import bold_spans, ends_sentence, is_heading_line, item_lead
from .quoted_evidence import QuotedEvidence
from .shared_text import text_end
from .surroundings import widened
from .text_below import ANNOUNCED, announced, belonging
from .whole_list import beginnings, list_that_ends, lists_with_lead_in, whole_list

_BEFORE = 1000
SHORT = 45
"""Passages of up to this many words are quoted whole; shorter ones are shown with their surroundings."""
LONG = 120
"""Passages that may have this many words or more are shown with as much of their section as fits."""
_NUMBER_OF_NEXT_NOTE = re.compile(r"\n[⁰¹²³⁴-⁹]+\s*\Z")
_NAMED = 0.49
"""Minimum share of the words of a part that the lead-in of the list it asks for has."""


class PassageBuilder:
    """Makes passages. Places that were already read keep their evidence keys."""

    def __init__(self, kb: KnowledgeBase, evidence: Sequence[Evidence] = ()) -> None:
        self._kb = kb
        self._quoted = QuotedEvidence(kb, evidence).passage

    def passage(self, ranked: RankedUnit, why: Why = "answer", *, cut: bool = False) -> QuotedPassage:
        """Return the unit as a passage; with ``cut``, only the best sentence if it has more than ``SHORT`` words."""
        unit = ranked.unit
        bold = bold_spans(ranked)
        start, end, text, head = unit.start, unit.end, unit.text, unit.head
        if cut and ranked.sentences and unit.kind != "table" and len(text.split()) > SHORT:
            best = ranked.sentences[0]
            start, end = best.start, best.end
            text, bold, head = unit.text[start - unit.start : end - unit.start], (), ""
        kind: UnitKind = "paragraph" if cut and unit.kind != "table" else unit.kind
        if unit.kind in ("paragraph", "item") and not cut:
            start, text, bold = self._led_to(ranked, start, text, bold)
        plain_row = unit.kind == "table" and "|" not in text  # one of a list of codes, which announces nothing
        if unit.kind != "table" and not cut and (added := belonging(self._kb, unit.section, end, text, ANNOUNCED)):
            end, text = end + len(added), text + added
        if not plain_row and (below := announced(self._kb, unit.section, end, text)):
            end, text, kind = end + len(below), text + below, "list"
        return self._quoted(
            unit.document,
            unit.section,
            start,
            end,
            text,
            head=head,
            head_start=unit.head_start,
            kind=kind,
            bold=bold,
            why=why,
            cut=cut,
            probability=ranked.probability,
        )

    def excerpt(self, ranked: RankedUnit, words: int, above: Sequence[QuotedPassage] = ()) -> QuotedPassage:
        """Return the whole unit if it has at most ``words`` words, else its best sentence with its neighbours.

        A passage shorter than ``SHORT`` words is shown with the text beside it in its section, and one that may have
        ``LONG`` words with as much of it as fits, but not with what the passages ``above`` show.
        """
        return self._surrounded(self._excerpt(ranked, words), ranked, words if words >= LONG else SHORT, above)

    def listed(self, ranked: RankedUnit, words: int) -> QuotedPassage | None:
        """Return the whole list that a unit is part of or introduces, up to ``words`` words; None if there is none."""
        unit = ranked.unit
        if unit.section is None or unit.kind == "table":
            return None
        section = self._kb.section_by_id(unit.section)
        text, first = self._below_heading(section, unit)
        low, high = unit.start - first, unit.end - first
        found = whole_list(text, low, high, words)
        if found is None:
            return None
        moved = low - found.start
        bold = tuple((a + moved, b + moved) for a, b in bold_spans(ranked)) or ((moved, high - found.start),)
        shown = text[found.start : found.end]
        return self._quoted(
            section.document, section.id, first + found.start, first + found.end, shown, kind="list",
            cut=found.goes_on, bold=bold if sum(b - a for a, b in bold) < 0.85 * len(shown) else (),
            goes_on=found.goes_on, probability=ranked.probability,
        )  # fmt: skip

    def list_named(self, ranked: RankedUnit, part: QuestionPart, words: int) -> list[QuotedPassage]:
        """Return the list of the unit's section whose lead-in says what the part asks for, up to ``words`` words.

        A list that is too long is shown by the first sentences of its items. Returns [] if no lead-in has most of the
        part's words.
        """
        unit = ranked.unit
        if unit.section is None or unit.kind == "table":
            return []
        section = self._kb.section_by_id(unit.section)
        text, first = self._below_heading(section, unit)
        asked = {term.stem for term in part.terms}
        named = [(len(asked & stem_set(lead, part.language)), block) for lead, block in lists_with_lead_in(text)]
        most, block = max(named, key=lambda one: one[0], default=(0, []))
        if not block or most <= _NAMED * len(asked):
            return []
        low, high = block[0].start, block[-1].end
        head = block[0].head
        if len(text[head[0] if head else low : high].split()) <= words:
            spans = [replace(block[0], start=head[0] if head else low, end=high, head=None, kind="list")]
        else:
            spans = beginnings(text, block, words)
        return [
            self._quoted(
                section.document, section.id, first + one.start, first + one.end, text[one.start : one.end],
                head=text[slice(*one.head)] if one.head else "", head_start=first + one.head[0] if one.head else None,
                kind=one.kind, cut=one.kind == "item", probability=ranked.probability,
            )
            for one in spans
        ]  # fmt: skip

    def _below_heading(self, section: Section, unit: AnswerUnit) -> tuple[str, int]:
        """Return a section's own text without the line of its heading, and where it starts in the document."""
        text, first = self._kb.text(section.document, section.start, section.own_end), section.start
        line = text.partition("\n")[0]
        if unit.start > first + len(line) and is_heading_line(letters_of(line), letters_of(section.label)):
            return text[len(line) :], first + len(line)
        return text, first

    def _excerpt(self, ranked: RankedUnit, words: int) -> QuotedPassage:
        unit = ranked.unit
        if unit.kind == "table" or not ranked.sentences or len(unit.text.split()) <= words:
            return self.passage(ranked)
        first, last, rule = around_best(ranked, words, self._label(unit))
        text = unit.text[first - unit.start : last - unit.start]
        moved = unit.start - first
        bold = tuple((a + moved, b + moved) for a, b in bold_spans(ranked) if a + moved >= 0 and b + moved <= len(text))
        if unit.kind in ("paragraph", "item") or first > unit.start:
            first, text, bold = self._led_to(ranked, first, text, bold)
        bold = bold if sum(b - a for a, b in bold) < 0.85 * len(text) else ()
        if added := belonging(self._kb, unit.section, last, text, max(words, COUNTED)):
            last, text = last + len(added), text + added
        item, item_start = item_lead(unit.text, first - unit.start), unit.start
        if rule is not None and rule[1] <= first:
            item, item_start = unit.text[rule[0] - unit.start : rule[1] - unit.start], rule[0]
        kind: UnitKind = unit.kind if "\n" in text.strip() else "paragraph"
        if below := announced(self._kb, unit.section, last, text):
            last, text, kind = last + len(below), text + below, "list"
        return self._quoted(
            unit.document, unit.section, first, last, text, head=unit.head, head_start=unit.head_start, kind=kind,
            cut=True, item=item, item_start=item_start,
            bold=bold, probability=ranked.probability,
        )  # fmt: skip

    def _label(self, unit: AnswerUnit) -> str:
        """Return what a reader sees above a unit: the heading of its section and its lead-in."""
        heading = self._kb.section_by_id(unit.section).label if unit.section else ""
        return f"{heading} {unit.head}"

    def _surrounded(
        self, passage: QuotedPassage, ranked: RankedUnit, words: int, above: Sequence[QuotedPassage]
    ) -> QuotedPassage:
        """Return a passage with the text beside it in its section, up to ``words``; the chosen words are bold."""
        if ranked.unit.section is None or ranked.unit.kind == "table" or len(passage.text.split()) >= words:
            return passage
        section = self._kb.section_by_id(ranked.unit.section)
        if not section.start <= passage.start < passage.end <= section.own_end:
            return passage
        text, label = self._kb.text(section.document, section.start, section.own_end), letters_of(section.label)
        lead = letters_of(passage.head)  # shown above the passage anyway
        whole = self._kb.text(section.document)
        shown = [letters_of(one.text) for one in above if one.evidence.document == section.document]

        def usable(added: str) -> bool:
            letters = letters_of(added)
            if is_repeated(added, whole) or any(letters in one for one in shown):
                return False
            return informs(added) and not is_heading_line(letters, label) and not (lead and lead in letters)

        low, high = passage.start - section.start, passage.end - section.start
        start, end = widened(text, low, high, words, usable, above=SHORT)
        if (start, end) == (low, high):
            return passage
        moved = low - start
        bold = tuple((a + moved, b + moved) for a, b in passage.bold) or ((moved, high - start),)
        kind: UnitKind = "list" if "\n" in text[start:end].strip() else "paragraph"
        item = passage.item if start == low else ""  # text from above shows the beginning of the item
        return self._quoted(
            section.document, section.id, section.start + start, section.start + end, text[start:end],
            head=passage.head, head_start=passage.head_start, kind=kind, bold=bold, cut=True, item=item,
            item_start=passage.item_start, probability=ranked.probability,
        )  # fmt: skip

    def joined(self, passages: Sequence[QuotedPassage], gap: int = 0) -> list[QuotedPassage]:
        """Merge passages of one section with at most ``gap`` words between them, and put the others in text order."""
        return joined(self._kb, passages, self._quoted, gap)

    def within(self, passage: QuotedPassage, start: int, end: int) -> QuotedPassage:
        """Return a passage with another beginning or end in its section; the number of a note after it is left out."""
        document = passage.evidence.document
        text = _NUMBER_OF_NEXT_NOTE.sub("", self._kb.text(document, start, end)).rstrip()
        moved = passage.start - start
        bold = ((max(0, a + moved), min(b + moved, len(text))) for a, b in passage.bold)
        kind: UnitKind = "list" if passage.kind == "paragraph" and "\n" in text.strip() else passage.kind
        return self._quoted(
            document, passage.evidence.section, start, start + len(text), text, head=passage.head,
            head_start=passage.head_start, item=passage.item, item_start=passage.item_start, kind=kind,
            bold=tuple((a, b) for a, b in bold if a < b), cut=passage.cut, why=passage.why,
            derogates_from=passage.derogates_from, probability=passage.probability,
        )  # fmt: skip

    def for_part(self, passage: QuotedPassage, part: QuestionPart) -> QuotedPassage:
        """Return a passage without the "No," with which it answers the question of its heading, if that is another."""
        section = passage.evidence.section
        heading = "" if section is None else self._kb.section_by_id(section).label
        skipped = answer_to_another(passage.text, heading, part)
        return self.within(passage, passage.start + skipped, passage.end) if skipped else passage

    def _led_to(
        self, ranked: RankedUnit, start: int, text: str, bold: tuple[tuple[int, int], ...]
    ) -> tuple[int, str, tuple[tuple[int, int], ...]]:
        """Add the sentence or short list before a passage that begins by referring back to it."""
        unit = ranked.unit
        needed = names_one_before(text)
        if unit.section is None:
            return start, text, bold
        section = self._kb.section_by_id(unit.section)
        low = max(section.start, start - _BEFORE)
        before = self._kb.text(unit.document, low, start)
        line = before.partition("\n")[0]
        if low == section.start and is_heading_line(letters_of(line), letters_of(section.label)):
            low, before = low + len(line), before[len(line) :]
        last = next(iter(reversed(sentences(before))), None)
        most = ANNOUNCED if needed else SHORT
        told = last is not None and ends_sentence(last.text) and len(last.text.split()) <= most
        whole_item = unit.kind == "item" and start == unit.start  # "It" of an item is often said in its lead-in
        refers = points_back if whole_item else dangles
        if last is None or not told or not informs(last.text) or not refers(text, last.text, self._label(unit)):
            return start, text, bold
        units = split(before)
        above = list_that_ends(units, units[-1]) if units else None
        first = last.start if above is None or len(before[above:].split()) > SHORT else above
        moved = start - low - first
        return low + first, before[first:] + text, tuple((a + moved, b + moved) for a, b in bold)

    def beginning(self, place: NamedPlace, words: int) -> QuotedPassage:
        """Return the whole place as a passage, or its first units up to ``words`` words."""
        section = self._kb.section_by_id(place.section or "")
        narrow = place.start is not None and place.end is not None and place.end > place.start
        start = place.start if narrow and place.start is not None else section.start
        end = place.end if narrow and place.end is not None else text_end(self._kb, section)
        text = self._kb.text(section.document, start, end)
        label = letters_of(section.label)
        spans = [
            one
            for one in split(text)
            if not is_heading_line(letters_of(text[one.start : one.end]), label) and informs(text[one.start : one.end])
        ]
        if not spans:
            return self._quoted(section.document, section.id, start, end, text.strip(), why="named")
        head = spans[0].head
        first = head[0] if head else spans[0].start
        last = spans[0].end
        for one in spans[1:]:
            if len(text[first : one.end].split()) > words or not informs(text[first : one.end]):
                break
            last = max(last, one.end)
        return self._quoted(
            section.document,
            section.id,
            start + first,
            start + last,
            text[first:last],
            kind=spans[0].kind if len(spans) == 1 else "list",
            why="named",
            cut=last < max(one.end for one in spans),
            probability=1.0,
        )

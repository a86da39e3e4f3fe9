"""Turns a chosen unit into a passage to quote: the evidence it is cited as and the words that answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import QuotePlace
from rabbithole.steps.models import Evidence, Quote
from rabbithole.steps.page_names import letters_of
from rabbithole.steps.phases.reading_units import Reading, open_reading
from rabbithole.steps.question import NamedPlace
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.selection import RankedUnit
from rabbithole.steps.selection.models import UnitKind
from rabbithole.steps.selection.unit_splitting import WHOLE, split

from .informs import informs, is_repeated
from .models import QuotedPassage, Why
from .passage_text import around_best, bold_spans, ends_open, ends_sentence, goes_on, is_heading_line, lead_in
from .surroundings import widened
from .whole_list import whole_list

_REFERS_BACK = re.compile(
    r"\W{0,3}(?:This|These|Those|That|Such|It|They|However|Therefore|Thus|Otherwise|Moreover|"
    r"In (?:this|that|such|these)|If (?:this|that|so)|Falls (?:dies|ja)|(?:Wenn|Sollte) (?:dies|das)|"
    r"Dies(?:e[rnsm]?)?|Jene[rnsm]?|Solche[rnsm]?|Es|Sie|Er|Dabei|Hierzu|Hierbei|Dazu|"
    r"Dafür|Daher|Deshalb|Jedoch|Andernfalls|In (?:diesem|diesen|dieser|solchen))\b"
)
"""Words a quotation should not begin with, because the sentence before says what they refer to."""
_WORD = re.compile(r"\w+")
_BEFORE, _AFTER = 600, 120
SHORT = 45
"""Passages of up to this many words are quoted whole; shorter ones are shown with their surroundings."""
ANNOUNCED = 120
"""Maximum number of words shown of what a passage announces that ends in a colon."""
_ANNOUNCES = re.compile(
    r"\b(?:(?:the|as) (?:following|follows)|following \w+|(?:next|following|below) (?:list|table)|(?:list|table) below|"
    r"(?:der|die|das|den|dem|des) (?:nach)?folgende[rnsm]?|folgende[rnsm]? \w+|wie folgt|Tabelle|Liste)\b",
    re.IGNORECASE,
)
_TAIL = 500
"""Characters at the end of a passage in which it may announce the list or table below it."""


class PassageBuilder:
    """Makes passages. Places that were already read keep their evidence keys."""

    def __init__(self, kb: KnowledgeBase, evidence: Sequence[Evidence] = ()) -> None:
        self._kb = kb
        self._known = [one for one in evidence if not one.external]

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
        if unit.kind == "paragraph" and not cut:
            start, text, bold = self._led_to(ranked, start, text, bold)
        if announced := self._announced(unit.section, end, text):
            end, text, kind = end + len(announced), text + announced, "list"
        return self._passage(
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

    def excerpt(self, ranked: RankedUnit, words: int) -> QuotedPassage:
        """Return the whole unit if it has at most ``words`` words, else its best sentence with its neighbours.

        A passage shorter than ``SHORT`` words is shown with the text beside it in its section.
        """
        return self._surrounded(self._excerpt(ranked, words), ranked)

    def listed(self, ranked: RankedUnit, words: int) -> QuotedPassage | None:
        """Return the whole list that a unit is part of or introduces, up to ``words`` words; None if there is none."""
        unit = ranked.unit
        if unit.section is None or unit.kind == "table":
            return None
        section = self._kb.section_by_id(unit.section)
        text, first = self._kb.text(section.document, section.start, section.own_end), section.start
        line = text.partition("\n")[0]
        if unit.start > first + len(line) and is_heading_line(letters_of(line), letters_of(section.label)):
            text, first = text[len(line) :], first + len(line)
        low, high = unit.start - first, unit.end - first
        found = whole_list(text, low, high, words)
        if found is None:
            return None
        moved = low - found.start
        bold = tuple((a + moved, b + moved) for a, b in bold_spans(ranked)) or ((moved, high - found.start),)
        shown = text[found.start : found.end]
        return self._passage(
            section.document, section.id, first + found.start, first + found.end, shown, kind="list",
            cut=found.goes_on, bold=bold if sum(b - a for a, b in bold) < 0.85 * len(shown) else (),
            goes_on=found.goes_on, probability=ranked.probability,
        )  # fmt: skip

    def _excerpt(self, ranked: RankedUnit, words: int) -> QuotedPassage:
        unit = ranked.unit
        if unit.kind == "table" or not ranked.sentences or len(unit.text.split()) <= words:
            return self.passage(ranked)
        first, last = around_best(ranked, words)
        text = unit.text[first - unit.start : last - unit.start]
        moved = unit.start - first
        bold = tuple((a + moved, b + moved) for a, b in bold_spans(ranked) if a + moved >= 0 and b + moved <= len(text))
        if unit.kind == "paragraph":
            first, text, bold = self._led_to(ranked, first, text, bold)
        kind: UnitKind = unit.kind if "\n" in text.strip() else "paragraph"
        if announced := self._announced(unit.section, last, text):
            last, text, kind = last + len(announced), text + announced, "list"
        return self._passage(
            unit.document, unit.section, first, last, text, head=unit.head, head_start=unit.head_start, kind=kind,
            cut=True,
            bold=bold if sum(b - a for a, b in bold) < 0.85 * len(text) else (), probability=ranked.probability,
        )  # fmt: skip

    def _announced(self, section: str | None, end: int, text: str) -> str:
        """Return what stands below a passage that cannot stand alone: it ends in a colon, with a heading, or announces.

        That is the table, list, program or paragraph after it, up to a length; after words such as "the following",
        only a list or a table.
        """
        is_open = ends_open(text)
        if section is None or not (is_open or _ANNOUNCES.search(text[-_TAIL:])):
            return ""
        whole = self._kb.section_by_id(section)
        after = self._kb.text(whole.document, end, min(whole.own_end, end + 2 * WHOLE))
        units = split(after)
        if not is_open and not (units and units[0].kind in ("list", "item", "steps", "table")):
            return ""
        last = 0
        for unit in units:
            if unit.block != units[0].block or len(_WORD.findall(after[: unit.end])) > ANNOUNCED:
                break
            last = unit.end
        return after[:last]

    def _surrounded(self, passage: QuotedPassage, ranked: RankedUnit) -> QuotedPassage:
        """Return a short passage with the text beside it in its section; the chosen words are bold."""
        if ranked.unit.section is None or ranked.unit.kind == "table" or len(passage.text.split()) >= SHORT:
            return passage
        section = self._kb.section_by_id(ranked.unit.section)
        if not section.start <= passage.start < passage.end <= section.own_end:
            return passage
        text, label = self._kb.text(section.document, section.start, section.own_end), letters_of(section.label)
        lead = letters_of(passage.head)  # shown above the passage anyway
        whole = self._kb.text(section.document)

        def usable(added: str) -> bool:
            letters = letters_of(added)
            if is_repeated(added, whole):
                return False
            return informs(added) and not is_heading_line(letters, label) and not (lead and lead in letters)

        low, high = passage.start - section.start, passage.end - section.start
        start, end = widened(text, low, high, SHORT, usable)
        if (start, end) == (low, high):
            return passage
        moved = low - start
        bold = tuple((a + moved, b + moved) for a, b in passage.bold) or ((moved, high - start),)
        kind: UnitKind = "list" if "\n" in text[start:end].strip() else "paragraph"
        return self._passage(
            section.document, section.id, section.start + start, section.start + end, text[start:end],
            head=passage.head, head_start=passage.head_start, kind=kind, bold=bold, cut=True,
            probability=ranked.probability,
        )  # fmt: skip

    def joined(self, passages: Sequence[QuotedPassage]) -> list[QuotedPassage]:
        """Merge overlapping or adjacent passages of one section, each at the position of the first; keep the order."""
        found: list[QuotedPassage] = []
        for passage in passages:
            beside = next((at for at, one in enumerate(found) if self._meet(one, passage)), None)
            if beside is None:
                found.append(passage)
            else:
                found[beside] = self._union(found[beside], passage)
        return found

    def _meet(self, one: QuotedPassage, other: QuotedPassage) -> bool:
        document, section = one.evidence.document, one.evidence.section
        if (document, section) != (other.evidence.document, other.evidence.section) or section is None:
            return False
        if "table" in (one.kind, other.kind):
            return False
        first, second = sorted((one, other), key=lambda each: each.start)
        return second.start <= first.end or not self._kb.text(document, first.end, second.start).strip()

    def _union(self, one: QuotedPassage, other: QuotedPassage) -> QuotedPassage:
        """Return one passage that covers both; the words chosen in either are bold, unless that is the whole text."""
        start, end = min(one.start, other.start), max(one.end, other.end)
        text = self._kb.text(one.evidence.document, start, end)
        chosen = sorted(
            (each.start - start + a, each.start - start + b)
            for each in (one, other)
            for a, b in each.bold or ((0, each.end - each.start),)
        )
        bold: list[tuple[int, int]] = []
        for a, b in chosen:
            if bold and not text[bold[-1][1] : a].strip():
                bold[-1] = (bold[-1][0], max(bold[-1][1], b))
            else:
                bold.append((a, b))
        first = one if one.start <= other.start else other
        kind: UnitKind = "list" if "\n" in text.strip() else "paragraph"
        return self._passage(
            one.evidence.document, one.evidence.section, start, end, text, head=first.head, head_start=first.head_start,
            kind=kind, bold=() if bold == [(0, len(text))] else tuple(bold), cut=one.cut or other.cut, why=one.why,
            probability=max(one.probability, other.probability),
        )  # fmt: skip

    def _led_to(
        self, ranked: RankedUnit, start: int, text: str, bold: tuple[tuple[int, int], ...]
    ) -> tuple[int, str, tuple[tuple[int, int], ...]]:
        """Add the preceding sentence of the section to a passage that begins by referring back to it."""
        unit = ranked.unit
        if unit.section is None or not _REFERS_BACK.match(text):
            return start, text, bold
        section = self._kb.section_by_id(unit.section)
        low = max(section.start, start - _BEFORE)
        before = self._kb.text(unit.document, low, start)
        line = before.partition("\n")[0]
        if low == section.start and is_heading_line(letters_of(line), letters_of(section.label)):
            low, before = low + len(line), before[len(line) :]
        last = next(iter(reversed(sentences(before))), None)
        told = last is not None and ends_sentence(last.text) and len(last.text.split()) <= SHORT
        if last is None or not told or not informs(last.text):
            return start, text, bold
        moved = start - low - last.start
        return low + last.start, before[last.start :] + text, tuple((a + moved, b + moved) for a, b in bold)

    def beginning(self, place: NamedPlace, words: int) -> QuotedPassage:
        """Return the whole place as a passage, or its first units up to ``words`` words."""
        section = self._kb.section_by_id(place.section or "")
        narrow = place.start is not None and place.end is not None and place.end > place.start
        start = place.start if narrow and place.start is not None else section.start
        end = place.end if narrow and place.end is not None else section.end
        text = self._kb.text(section.document, start, end)
        label = letters_of(section.label)
        spans = [
            one
            for one in split(text)
            if not is_heading_line(letters_of(text[one.start : one.end]), label) and informs(text[one.start : one.end])
        ]
        if not spans:
            return self._passage(section.document, section.id, start, end, text.strip(), why="named")
        head = spans[0].head
        first = head[0] if head else spans[0].start
        last = spans[0].end
        for one in spans[1:]:
            if len(text[first : one.end].split()) > words or not informs(text[first : one.end]):
                break
            last = max(last, one.end)
        return self._passage(
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

    def _passage(
        self, document: str, section: str | None, start: int, end: int, text: str, **given: object
    ) -> QuotedPassage:
        page, label = self._kb.page_of(document, start)
        if section is not None and is_heading_line(
            letters_of(str(given.get("head", ""))), letters_of(self._kb.section_by_id(section).label)
        ):
            given["head"] = ""  # the heading line above the passage already says it
        head_start, head = given.get("head_start"), str(given.get("head", ""))
        if head and isinstance(head_start, int) and given.get("kind") != "table":
            given["skips"] = head_start < start and bool(self._kb.text(document, head_start + len(head), start).strip())
        cut_off = bool(given.get("goes_on")) or (given.get("why") == "named" and bool(given.get("cut")))
        given["goes_on"] = cut_off or goes_on(text, self._kb.text(document, end, end + _AFTER))
        if isinstance(head_start, int):
            given["head_start"] = head_start + len(head) - len(lead_in(head))
        given["head"] = lead_in(head)
        evidence = self._evidence(document, section, start, end, text)
        return QuotedPassage.model_validate(
            {"evidence": evidence, "text": text, "start": start, "end": end, "page": page, "page_label": label, **given}
        )

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

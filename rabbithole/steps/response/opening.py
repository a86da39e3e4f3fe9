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
from rabbithole.steps.selection.item_markers import NUMBERED, marker_of
from rabbithole.steps.selection.models import UnitKind
from rabbithole.steps.selection.units import WHOLE, split

from .informs import informs
from .models import QuotedPassage, Why
from .surroundings import widened

_REFERS_BACK = re.compile(
    r"\W{0,3}(?:This|These|Those|That|Such|It|They|However|Therefore|Thus|Otherwise|Moreover|"
    r"In (?:this|that|such|these)|Dies(?:e[rnsm]?)?|Jene[rnsm]?|Solche[rnsm]?|Es|Sie|Er|Dabei|Hierzu|Hierbei|Dazu|"
    r"Dafür|Daher|Deshalb|Jedoch|Andernfalls|In (?:diesem|diesen|dieser|solchen))\b"
)
"""Words a quotation should not begin with, because the sentence before says what they refer to."""
_WORD = re.compile(r"\w+")
_BEFORE, _AFTER = 600, 120
_CLOSED = re.compile(r"[.!?][\"”“»)]*\Z")
_ALSO = 0.5  # a sentence with at least this share of the best sentence's score is set in bold too
_MOST_BOLD = 2
SHORT = 45
"""Passages of up to this many words are quoted whole; shorter ones are shown with their surroundings."""
HEADING = 90
"""Most characters of a heading, a caption or a signature at the end of a passage."""
_SENTENCE_ENDS = ".!?…;,)]}\"”“»'’"
ANNOUNCED = 120
"""Most words shown of what a passage announces that ends in a colon."""
_ANNOUNCES = re.compile(
    r"\b(?:(?:the|as) (?:following|follows)|following \w+|(?:next|following|below) (?:list|table)|(?:list|table) below|"
    r"(?:der|die|das|den|dem|des) (?:nach)?folgende[rnsm]?|folgende[rnsm]? \w+|wie folgt|Tabelle|Liste)\b",
    re.IGNORECASE,
)
_TAIL = 500
"""Characters at the end of a passage in which it may announce the list or table below it."""
LEAD = 25
"""Most words of a lead-in; of a longer one, only the last sentences are shown."""


class Opener:
    """Makes passages. Places that were already read keep their evidence keys."""

    def __init__(self, kb: KnowledgeBase, evidence: Sequence[Evidence] = ()) -> None:
        self._kb = kb
        self._known = [one for one in evidence if not one.external]

    def passage(self, ranked: RankedUnit, why: Why = "answer", *, cut: bool = False) -> QuotedPassage:
        """Return the unit as a passage; with ``cut``, only the best sentence if it has more than ``SHORT`` words."""
        unit = ranked.unit
        bold = _bold(ranked)
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

    def _excerpt(self, ranked: RankedUnit, words: int) -> QuotedPassage:
        unit = ranked.unit
        if unit.kind == "table" or not ranked.sentences or len(unit.text.split()) <= words:
            return self.passage(ranked)
        first, last = _around_best(ranked, words)
        text = unit.text[first - unit.start : last - unit.start]
        moved = unit.start - first
        bold = tuple((a + moved, b + moved) for a, b in _bold(ranked) if a + moved >= 0 and b + moved <= len(text))
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
        ends_open = _ends_open(text)
        if section is None or not (ends_open or _ANNOUNCES.search(text[-_TAIL:])):
            return ""
        whole = self._kb.section_by_id(section)
        after = self._kb.text(whole.document, end, min(whole.own_end, end + 2 * WHOLE))
        units = split(after)
        if not ends_open and not (units and units[0].kind in ("list", "item", "steps", "table")):
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

        def usable(added: str) -> bool:
            letters = letters_of(added)
            return informs(added) and not _heads(letters, label) and not (lead and lead in letters)

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
        if low == section.start and _heads(letters_of(line), letters_of(section.label)):
            low, before = low + len(line), before[len(line) :]
        last = next(iter(reversed(sentences(before))), None)
        told = last is not None and _CLOSED.search(last.text) and len(last.text.split()) <= SHORT
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
            if not _heads(letters_of(text[one.start : one.end]), label) and informs(text[one.start : one.end])
        ]
        if not spans:
            return self._passage(section.document, section.id, start, end, text.strip(), why="named")
        first = spans[0].start
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
        if section is not None and _heads(
            letters_of(str(given.get("head", ""))), letters_of(self._kb.section_by_id(section).label)
        ):
            given["head"] = ""  # the heading line above the passage already says it
        head_start, head = given.get("head_start"), str(given.get("head", ""))
        if head and isinstance(head_start, int) and given.get("kind") != "table":
            given["skips"] = head_start < start and bool(self._kb.text(document, head_start + len(head), start).strip())
        cut_off = given.get("why") == "named" and bool(given.get("cut"))
        given["goes_on"] = cut_off or _goes_on(text, self._kb.text(document, end, end + _AFTER))
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


def _ends_open(text: str) -> bool:
    """Return whether a passage ends with a lead-in, a heading, a caption or a signature."""
    line = text.strip().rpartition("\n")[2].strip()
    if line.endswith(":"):
        return True
    plain = marker_of(line) is None and not line.startswith("|")
    return plain and len(line) <= HEADING and line[-1:] not in _SENTENCE_ENDS


def _goes_on(text: str, after: str) -> bool:
    """Return whether a passage ends within a list: its last item goes on, or another item follows.

    One item by itself looks like no whole list. Numbered paragraphs that end a sentence, as "(1)" and "(2)" of a
    section, are no such items.
    """
    lines = text.strip().splitlines()
    marker = marker_of(lines[-1]) if lines else None
    alone = sum(marker_of(line) == marker for line in lines) == 1
    if marker is None or alone or (marker in NUMBERED and _CLOSED.search(lines[-1])):
        return False
    rest, _, below = after.partition("\n")
    return bool(rest.strip()) or marker_of(below.strip()) == marker


def lead_in(head: str) -> str:
    """Return the lead-in of a list; of a long paragraph, only its last sentences, up to ``LEAD`` words."""
    if len(head.split()) <= LEAD or "|" in head:
        return head
    every = sentences(head)
    first = len(every) - 1
    while first > 0 and len(head[every[first - 1].start :].split()) <= LEAD:
        first -= 1
    return head[every[first].start :] if every else head


def _around_best(ranked: RankedUnit, words: int) -> tuple[int, int]:
    """Return the span of the best sentence with its neighbours up to ``words`` words, the better-scored side first."""
    unit = ranked.unit
    spans = [(unit.start + one.start, unit.start + one.end) for one in sentences(unit.text)]
    scores = {(one.start, one.end): one.score for one in ranked.sentences}
    best = ranked.sentences[0]
    low = next((at for at, span in enumerate(spans) if span[0] <= best.start < span[1]), None)
    if low is None:
        return best.start, best.end
    high = low

    def fits(first: int, last: int) -> bool:
        return len(unit.text[spans[first][0] - unit.start : spans[last][1] - unit.start].split()) <= words

    while True:
        beside = [at for at in (low - 1, high + 1) if 0 <= at < len(spans) and fits(min(at, low), max(at, high))]
        if not beside:
            return spans[low][0], spans[high][1]
        chosen = max(beside, key=lambda at: (scores.get(spans[at], 0.0), at))
        low, high = min(low, chosen), max(high, chosen)


def _bold(ranked: RankedUnit) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences that answer, or () if the unit is a table or a single sentence."""
    unit = ranked.unit
    if unit.kind == "table" or len(ranked.sentences) < 2:
        return ()
    best = ranked.sentences[0].score
    chosen = [one for one in ranked.sentences[:_MOST_BOLD] if one.score >= _ALSO * best]
    spans = sorted((one.start - unit.start, one.end - unit.start) for one in chosen)
    inside = tuple((start, end) for start, end in spans if 0 <= start < end <= len(unit.text))
    return inside if sum(end - start for start, end in inside) < 0.85 * len(unit.text) else ()


def _heads(words: str, label: str) -> bool:
    """Return whether a line is the section's own heading."""
    return bool(words) and (words == label or (len(words) < len(label) and words in label))

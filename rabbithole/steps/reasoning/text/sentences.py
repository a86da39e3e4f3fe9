"""Split a text into sentences with exact spans: every sentence is ``text[start:end]``.

Made for German statutes, standards and English reports: 'Abs. 1 Satz 1', 'Nr. 3', 'i. V. m.', '1. Januar' and initials
do not end a sentence; numbered items and paragraphs begin one.
"""

from __future__ import annotations

import itertools
import re

from rabbithole.kb.models import Model
from rabbithole.kb.notation.months import MONTH

from .markdown_tables import is_table, join_rows, one_line

LONGEST = 700  # an enumeration of up to this many characters stays with its introduction, to make sense when quoted

_ABBREVIATED = """
abs nr nrn art artt buchst bst lit ziff rn rdnr rz s st hs alt anl anh kap tab abb bd aufl hrsg vgl ggf bzw gem ca
max min inkl sog evtl usw etc ff f dr prof jr sr str tel fn anm bgbl abl rgbl gbl lt mind zzgl insb allg i v m z b d
h u a o e g c no nos sec secs fig figs eq eqs ref refs vol pp p ch para paras cf al vs approx resp rev ed eds inc
ltd jan feb mär apr jun jul aug sep sept okt oct nov dez dec mio mrd tsd usf bspw entspr einschl
"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
# Words after an ordinal: '3. Abschnitt', '26. BImSchV', '2. Halbsatz'.
_AFTER_ORDINAL = re.compile(
    rf"(?:{MONTH}|Abschnitt|Kapitel|Teil|Halbsatz|Alternative|Auflage|Jahrhundert|BImSch\w*|ProdSV|Senat|Kammer|"
    r"(?:\w+s)?[Ss]emester\w{0,2}|\w*[Jj]ahres|Quartal\w{0,2})\b"
)
# 'das 75. Lebensjahr', 'des 1. – 3. Semesters': a short number after an article or another ordinal is an ordinal.
_BEFORE_ORDINAL = re.compile(
    r"(?:\b(?:das|des|dem|den|der|die|im|am|zum|zur|vom|ein(?:e[mnrs]?)?)|\b\d{1,3}\.\s?(?:[-–]|und|oder|bis))$"
)
_ASIDE = 80
"""A pair of brackets with so many characters is not cut: '(GVBl. S. 260)'."""
_OPEN_ASIDE = re.compile(r"\([^()]*\Z")
_REST_OF_ASIDE = re.compile(r"[^()]*\)")
_END = re.compile(r"[.!?…]+[\"“”»«')\]]*(?=\s|$)|(?<=[a-zäöüß]{3})[.;](?=[A-ZÄÖÜ][a-zäöüß])")
_BLOCK = re.compile(
    r"\n\s*\n|(?<=\|)\n|\n(?=\s*(?:\(\d{1,3}[a-z]?\)\s|#{1,6}\s|[-*•–]\s|§{1,2}\s?\d+\w?\s+[A-ZÄÖÜ(]|\|))"
)
_HEADING_LINE = re.compile(
    r"^[ \t]*(?:#{1,6}\s|§{1,2}\s?\d+\w?\s|Art(?:ikel|\.)?\s\d+\w?\s"
    r"|(?:Anlage|Anhang|Annex|Section|Abschnitt|Kapitel)\s[\dA-Z]|\d+(?:\.\d+)+\.?\s+[A-ZÄÖÜ])[^\n]{0,140}(?<![.,;:])\n(?=\s*[A-ZÄÖÜ(\[\d])",
    re.MULTILINE,
)
_ITEM = re.compile(r"\n(?=\s*(?:\d{1,3}[a-z]?[.)]|[a-z]{1,2}\)|o(?=\s+[A-Z]))\s)")  # 'o': the bullet of old plain text
_NUMBERED = re.compile(r"\d{1,3}[a-z]?[.)]\s")
_LETTERED = re.compile(r"[a-z]{1,2}\)\s")
_JOINS = re.compile(r"\b(?:und|oder|sowie|and|or)\Z")
_LAST_WORD = re.compile(r"([^\W_]+)[.!?…]+[\"“”»«')\]]*$")


class Sentence(Model):
    """A sentence and its span in the text."""

    start: int
    end: int
    text: str

    @property
    def flat(self) -> str:
        """The text on one line."""
        return one_line(self.text)


def sentences(text: str) -> tuple[Sentence, ...]:
    """Return all sentences in order. Their text is verbatim; an enumeration or table may be one sentence."""
    found: list[Sentence] = []
    for start, end in _blocks(text):
        if is_table(text[start:end]):
            found.append(Sentence(start=start, end=end, text=text[start:end]))
            continue
        for first, last in _join_items(text, _cut(text, start, end)):
            if any(character.isalnum() for character in text[first:last]):
                found.append(Sentence(start=first, end=last, text=text[first:last]))
    return tuple(found)


def pieces(text: str) -> tuple[Sentence, ...]:
    """Return sentences and items of enumerations in order, each by itself however short."""
    spans = (span for start, end in _blocks(text) for span in _cut(text, start, end))
    return tuple(Sentence(start=start, end=end, text=text[start:end]) for start, end in spans)


def left_open(text: str) -> int | None:
    """Return the start of the last sentence of ``text`` if it is unfinished, else None."""
    every = pieces(text)
    if not every or re.search(r"[.!?:;…][\"“”»«')\]]*$", every[-1].text):
        return None
    return every[-1].start


def sentences_after(text: str, offset: int) -> tuple[Sentence, ...]:
    """Return the sentences of ``text`` from ``offset`` on; their spans count from the beginning of the text."""
    return tuple(
        Sentence(start=item.start + offset, end=item.end + offset, text=item.text) for item in sentences(text[offset:])
    )


def sentence_at(text: str, offset: int) -> str:
    """Return the sentence at ``offset`` or the nearest one; '' for an empty text."""
    every = sentences(text)
    if not every:
        return ""
    return min(every, key=lambda item: max(item.start - offset, offset - item.end, 0)).text


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _blocks(text: str) -> list[tuple[int, int]]:
    cuts = {match.end() for pattern in (_BLOCK, _HEADING_LINE) for match in pattern.finditer(text)}
    edges = [0, *sorted(cuts), len(text)]
    spans = (_trim(text, first, last) for first, last in itertools.pairwise(edges))
    return join_rows(text, [span for span in spans if span[0] < span[1]])


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut a block at sentence ends and before numbered items."""
    cuts = {match.start() + 1 for match in _ITEM.finditer(text, start, end)}
    for match in _END.finditer(text, start, end):
        if _ends_sentence(text, start, match.end(), end):
            cuts.add(match.end())
    edges = [start, *sorted(cut for cut in cuts if start < cut < end), end]
    spans = (_trim(text, first, last) for first, last in itertools.pairwise(edges))
    return [span for span in spans if span[0] < span[1]]


def _ends_sentence(text: str, block_start: int, position: int, block_end: int) -> bool:
    rest = text[position : min(position + 40, block_end)]
    following = rest.lstrip()
    if not following:
        return True
    if not (following[0].isupper() or following[0] in "§\"„“»(['‚" or following[0].isdigit()):
        return False
    head = text[max(block_start, position - 40) : position]
    word = _LAST_WORD.search(head)
    if word is None:
        return True
    if _is_inside_aside(text, block_start, position, block_end):
        return False
    token = word.group(1)
    if head.rstrip("\"“”»«')]")[-1:] in "!?…":
        return True
    if token.isdigit():
        before = head[: word.start(1)].rstrip()
        at_start = not text[block_start : position - len(word.group(0))].strip() or before.endswith("\n")
        ordinal = _AFTER_ORDINAL.match(following) or (len(token) < 4 and _BEFORE_ORDINAL.search(before))
        return not (at_start or ordinal or _item_start(text, position))
    if len(token) == 1 and token.isalpha():
        return False
    return token.lower() not in _ABBREVIATIONS


def _is_inside_aside(text: str, block_start: int, position: int, block_end: int) -> bool:
    """Return whether a position is inside a short pair of brackets."""
    opened = _OPEN_ASIDE.search(text, max(block_start, position - _ASIDE), position)
    closed = _REST_OF_ASIDE.match(text, position, block_end) if opened else None
    return opened is not None and closed is not None and closed.end() - opened.start() <= _ASIDE


def _item_start(text: str, position: int) -> bool:
    """Return whether the line up to here is only the number of an item: '\\n3.'"""
    line = text.rfind("\n", 0, position) + 1
    return bool(re.fullmatch(r"\s*\d{1,3}[a-z]?\.", text[line:position]))


def _join_items(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join an enumeration with its introduction if it is at most ``LONGEST`` characters; else items stay separate.

    A numbered item is joined with its lettered sub-items under the same condition.
    """
    joined: list[tuple[int, int]] = []
    run: list[tuple[int, int]] = []
    for span, following in itertools.zip_longest(spans, spans[1:]):
        run.append(span)
        ended = text[span[1] - 1] in ".!?…" or text[span[0] : span[1]].endswith((".“", '."'))
        if ended or (following and _ends_item(text, run[0], span, following)):
            joined += _join_run(text, run)
            run = []
    return joined + _join_run(text, run)


def _ends_item(text: str, first: tuple[int, int], span: tuple[int, int], following: tuple[int, int]) -> bool:
    """Return whether an item that nothing introduces ends without a mark before the next: '4. deleted', '5. It ...'.

    ``first`` is where the run of items begins. An item with a comma or "or" goes on with the next.
    """
    numbered = all(_NUMBERED.match(text, each[0]) for each in (first, span, following))
    return numbered and text[span[1] - 1] not in ",;:" and not _JOINS.search(text, span[0], span[1])


def _join_run(text: str, run: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if len(run) < 2 or run[-1][1] - run[0][0] <= LONGEST:
        return [(run[0][0], run[-1][1])] if run else []
    joined = [run[0]]
    for start, end in run[1:]:
        first = joined[-1][0]
        lettered = _LETTERED.match(text, start) is not None
        if lettered and _NUMBERED.match(text, first) and end - first <= LONGEST:
            joined[-1] = (first, end)
        else:
            joined.append((start, end))
    return joined

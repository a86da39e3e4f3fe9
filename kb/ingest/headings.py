"""Headings by numbering and typography, for documents without bookmarks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .heads import Head
from .lines import Line
from .numbering import Numbered, split_number
from .paragraphs import line_pitches

MAX_HEADING = 220
MAX_TITLE_LINES = 6
LARGER = 1.12
COMMON_FONT = 0.1
APPENDIX_RANK = 9
TOP_RANK = 100
_WORDS = re.compile(
    r"(?:abstract|zusammenfassung|introduction|einleitung|vorwort|preface|foreword|references|normative references|"
    r"informative references|literatur|literaturverzeichnis|quellen|quellenverzeichnis|bibliography|works cited|"
    r"glossary|glossar|"
    r"abkürzungen|abkürzungsverzeichnis|abbreviations|acknowledge?ments?|danksagung|contributors|conclusions?|fazit|"
    r"authors?['’]?s?['’]? address(?:es)?|security considerations|iana considerations|status of this memo|"
    r"copyright notice|full copyright statement|intellectual property|index|sachverzeichnis|stichwortverzeichnis|"
    r"appendix|appendices|anhang|"
    r"eingangsformel|präambel|schlussformel|schlußformel|executive summary|summary|"
    r"inhalt|inhaltsübersicht|inhaltsverzeichnis|(?:table of )?contents)\.?:?",
    re.IGNORECASE,
)
_NOT_TITLE = re.compile(
    r"(?:abs(?:atz|\.)|satz|nr\.|nummer|buchst|[,;)/–-]|und\b|oder\b|bis\b|and\b|or\b|of\b|to\b|the (?:act|code)\b|"
    r"i\.\s?v\.|ff?\.|[a-zäöü]\))"
)
_RUNNING = re.compile(r"[a-zäöü]+ ")
_SENTENCE_END = re.compile(r"[.;,:]$")
_APPENDIX = re.compile(r"([A-Z])\s+([A-ZÄÖÜ][^\W\d_]{2,}.*)")
_LETTER = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class Style:
    """What the running text looks like, and the distance of its lines."""

    size: float
    bold: bool
    mono: bool
    left: float
    right: float
    pitches: dict[float, float]
    common_fonts: frozenset[str] = frozenset()

    def stands_out(self, line: Line) -> bool:
        """Larger letters than the text's, or bold ones."""
        return line.size >= LARGER * self.size or (line.bold and not self.bold)

    def is_special(self, line: Line) -> bool:
        """Stands out, or is set in a font that the text is not set in."""
        return self.stands_out(line) or (bool(line.font) and line.font not in self.common_fonts)


@dataclass(frozen=True, slots=True)
class Found:
    """A heading: index of its first line, how many lines it fills, what it says, the line itself."""

    index: int
    lines: int
    numbered: Numbered
    line: Line


def body_style(lines: Sequence[Line]) -> Style:
    """The style of most letters."""
    letters: Counter[tuple[float, bool, bool]] = Counter()
    fonts: Counter[str] = Counter()
    lefts: Counter[float] = Counter()
    for line in lines:
        letters[line.size, line.bold, line.mono] += len(line.text)
        fonts[line.font] += len(line.text)
        lefts[round(line.x0)] += 1
    if not letters:
        return Style(10.0, False, False, 0.0, 0.0, {})
    size, bold, mono = letters.most_common(1)[0][0]
    common = [left for left, count in lefts.items() if count >= 0.03 * len(lines)]
    usual = frozenset(font for font, count in fonts.items() if count >= COMMON_FONT * fonts.total())
    return Style(size, bold, mono, min(common, default=0.0), max(line.x1 for line in lines), line_pitches(lines), usual)


def heads_from_typography(lines: Sequence[Line]) -> list[Head]:
    """Headings in reading order. A number alone is no proof: it must follow from those before it and stand apart."""
    style = body_style(lines)
    found: list[Found] = []
    numbers = Sequencer()
    index = 0
    while index < len(lines):
        count, numbered = _candidate(lines, index, style)
        if count and numbers.accepts(numbered, strong=style.is_special(lines[index])):
            found.append(Found(index, count, numbered, lines[index]))
            index += count
        else:
            index += 1
    return _with_levels(found, style)


def _candidate(lines: Sequence[Line], index: int, style: Style) -> tuple[int, Numbered]:
    line = lines[index]
    nothing = (0, Numbered("", "", ""))
    if line.note or line.verbatim or len(line.text) > MAX_HEADING or not _apart(lines, index, style):
        return nothing
    numbered = split_number(line.text)
    late = line.page > 0 and line.page >= lines[-1].page // 3
    if late and not numbered.number and style.stands_out(line) and (match := _APPENDIX.fullmatch(line.text)):
        numbered = Numbered("letter", match[1], match[2])
    if not numbered.number:
        if line.cells > 1:
            return nothing
        known = bool(_WORDS.fullmatch(line.text)) and _closed(lines, index, style)
        if not known and not (style.stands_out(line) and _titlelike(line.text) and _closed(lines, index, style)):
            return nothing
        if not known and line.size < LARGER * style.size and len(line.text) > 90:
            return nothing
    elif (
        _NOT_TITLE.match(numbered.heading)
        or (numbered.unit == "decimal" and not _titlelike(numbered.heading))
        or (numbered.heading and not style.is_special(line) and not _single(lines, index, style))
    ):
        return nothing
    count = _title_lines(lines, index, numbered, style)
    text = " ".join(part.text for part in lines[index : index + count])
    return count, numbered if numbered.unit == "letter" and not split_number(text).number else split_number(text)


def _fits_number(lines: Sequence[Line], index: int, numbered: Numbered, style: Style) -> bool:
    """Whether what follows a number may be a title; "4.2.3 foo bar" only where it stands alone."""
    if numbered.unit != "decimal":
        return not _RUNNING.match(numbered.heading)
    if _titlelike(numbered.heading):
        return True
    return "." in numbered.number and bool(_LETTER.search(numbered.heading)) and _single(lines, index, style)


def _titlelike(text: str) -> bool:
    bare = text.lstrip("\"'„“‘(«")
    opens_well = bare[:1].isupper() or bare[:1].isdigit() or (len(bare) < len(text) and text[0] != "(")
    return text[0] != "(" and bool(_LETTER.search(text)) and opens_well and not text.endswith((",", ";", "-"))


def _gap_above(lines: Sequence[Line], index: int, style: Style) -> bool:
    if index == 0:
        return True
    before, line = lines[index - 1], lines[index]
    if before.page != line.page or before.column != line.column:
        return True
    pitch = style.pitches.get(style.size, 1.25 * style.size)
    return line.base - before.base > 1.12 * max(pitch, line.size * 1.1) + 0.3


def _apart(lines: Sequence[Line], index: int, style: Style) -> bool:
    """Space above, or a change of style."""
    if _gap_above(lines, index, style):
        return True
    return style.is_special(lines[index]) and not style.is_special(lines[index - 1])


def _closed(lines: Sequence[Line], index: int, style: Style) -> bool:
    """Space below, or a change of style below."""
    if index + 1 >= len(lines):
        return True
    return (
        _apart(lines, index + 1, style)
        or lines[index].size != lines[index + 1].size
        or lines[index].bold != lines[index + 1].bold
    )


def _single(lines: Sequence[Line], index: int, style: Style) -> bool:
    """A plain line that may be a heading: alone between spaces, not a sentence, not further in than the text."""
    line = lines[index]
    last = index
    while last + 1 < len(lines) and last - index < 2 and not _gap_above(lines, last + 1, style):
        last += 1
    text = lines[last].text
    if last > index and not (style.mono and lines[last].x0 > line.x0 + line.size and last - index <= 1):
        return False
    if _SENTENCE_END.search(text) and not text.endswith(("etc.", "?")):
        return False
    centred = abs(line.x0 + line.x1 - style.left - style.right) < 4 * style.size
    near = line.x0 <= style.left + 2.5 * style.size + (0 if style.mono else 60)
    return _closed(lines, last, style) and (near or centred)


def _title_lines(lines: Sequence[Line], index: int, numbered: Numbered, style: Style) -> int:
    """How many lines the heading fills: lines that go on in its style without a space or a number of their own."""
    count = 1
    first = lines[index]
    bare = not numbered.heading
    while index + count < len(lines) and count < MAX_TITLE_LINES:
        line = lines[index + count]
        if line.page != first.page or line.column != first.column or line.note or split_number(line.text).number:
            break
        alike = abs(line.size - first.size) < 0.3 and line.bold == first.bold
        close = not _gap_above(lines, index + count, style)
        titled = bare and count == 1 and style.stands_out(line) and _titlelike(line.text)
        leading = (1.45 if first.size < 1.3 * style.size else 2.2) * first.size
        wrapped = alike and style.stands_out(first) and line.base - lines[index + count - 1].base < leading
        if not (titled or wrapped or (alike and close and (style.stands_out(first) or first.mono))):
            break
        count += 1
    return count


class Sequencer:
    """Accepts a number only where it can follow from the numbers accepted before."""

    def __init__(self) -> None:
        self._decimal: tuple[str, ...] = ()
        self._section = 0
        self._series: dict[str, int] = {}

    def accepts(self, numbered: Numbered, *, strong: bool) -> bool:
        if numbered.unit == "decimal":
            return self._accept_decimal(tuple(numbered.number.split(".")), strong=strong)
        if numbered.unit == "§":
            digits = re.search(r"\d+", numbered.number)
            value = int(digits.group()) if digits else 0
            if not strong and self._section and not self._section <= value <= self._section + 30:
                return False
            self._section = value
        if numbered.unit in ("roman", "letter"):
            return strong and self._accept_series(numbered)
        return True

    def _accept_series(self, numbered: Numbered) -> bool:
        """I, II, III or A, B, C: one after the other from the first on."""
        value = _roman(numbered.number) if numbered.unit == "roman" else ord(numbered.number[0]) - ord("A") + 1
        last = self._series.get(numbered.unit, 0)
        skips = 3 if last or self._decimal else 1
        if 1 <= value - last <= skips or (value == 1 and last):
            self._series[numbered.unit] = value
            return True
        return False

    def _accept_decimal(self, number: tuple[str, ...], *, strong: bool) -> bool:
        last = self._decimal
        ok = False
        if not number[0].isdigit():
            ok = len(number) >= 2
        elif len(number) > 1 and number[:-1] == last[: len(number) - 1] and len(number) - 1 == len(last):
            ok = int(number[-1]) <= (3 if strong else 1)
        else:
            shared = last[: len(number)]
            if len(number) <= len(last) and number[:-1] == shared[:-1] and shared[-1].isdigit():
                step = int(number[-1]) - int(shared[-1])
                ok = 1 <= step <= (4 if strong else 2)
            elif len(number) == 1:
                ok = (not last or (not last[0].isdigit() and strong)) and int(number[0]) <= (4 if strong else 1)
            elif strong and last and last[0].isdigit():
                ok = int(number[0]) in (int(last[0]), int(last[0]) + 1)
            elif not last:
                ok = strong or number == ("1", "1")
        if ok:
            self._decimal = number
        return ok


def _roman(number: str) -> int:
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    digits = [values.get(letter, 0) for letter in number.upper()]
    return sum(
        -digit if digit < following else digit for digit, following in zip(digits, [*digits[1:], 0], strict=True)
    )


def _with_levels(found: Sequence[Found], style: Style) -> list[Head]:
    """Levels from the ranks of numbers; headings without a number by their style beside the numbered ones."""
    found = _without_title_page(found)
    by_style: dict[tuple[float, bool], int] = {}
    for each in found:
        if each.numbered.number and each.numbered.rank > APPENDIX_RANK:
            look = each.line.size, each.line.bold
            by_style[look] = min(by_style.get(look, each.numbered.rank), each.numbered.rank)
    top = min(by_style.values(), default=TOP_RANK)
    largest = max((size for size, _ in by_style), default=0.0)
    sizes = sorted({each.line.size for each in found if not each.numbered.number}, reverse=True)
    heads: list[Head] = []
    stack: list[int] = []
    for each in found:
        line, rank = each.line, each.numbered.rank
        if not each.numbered.number:
            below = sizes.index(line.size) + (20 if line.size < largest else 0)
            rank = by_style.get((line.size, line.bold), top - 1 if 0 < largest < line.size else TOP_RANK + below)
            if _WORDS.fullmatch(each.numbered.heading) and (by_style or line.mono):
                rank = top
        while stack and stack[-1] >= rank:
            stack.pop()
        stack.append(rank)
        heads.append(Head(each.index, each.lines, each.numbered.number, each.numbered.heading, len(stack) - 1))
    return heads


def _without_title_page(found: Sequence[Found]) -> Sequence[Found]:
    """Large print before the first real heading of a document that has real ones is its title page."""
    real = [n for n, each in enumerate(found) if each.numbered.number or _WORDS.fullmatch(each.numbered.heading)]
    if len(real) >= 3 and found[real[0]].line.page <= 2:
        return found[real[0] :]
    return found

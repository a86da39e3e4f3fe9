"""Tells the lines that may be a heading by their number and typography, each for itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.ingest.numbers.numbering import Numbered, split_number
from rabbithole.kb.ingest.page.body_font import Style
from rabbithole.kb.ingest.page.lines import TextLine

from .heading_keywords import is_known_heading
from .lookalikes import (
    goes_on_below,
    is_caption,
    is_date_or_address,
    is_list_of_names,
    is_paragraph,
    is_row_of_figures,
    is_sentence,
    is_short_title,
    is_term_alone,
)

MAX_HEADING = 220
MAX_TITLE_LINES = 6
MAX_PLAIN_TITLE = 90
SMALLEST = 0.85
SMALLEST_CODED = 0.7
FRAMED_LARGER = 1.3
_NOT_TITLE = re.compile(
    r"(?:abs(?:atz|\.)|satz|nr\.|nummer|buchst|[],;)–-]|/(?![a-z][\w/.-]*\s)|und\b|oder\b|bis\b|and\b|or\b|of\b|to\b|"
    r"the (?:act|code)\b|i\.\s?v\.|ff?\.|[a-zäöü]\))"
)
_SENTENCE_END = re.compile(r"[.;,:]$")
_APPENDIX = re.compile(r"([A-Z])\s+([A-ZÄÖÜ][^\W\d_]{2,}.*)")
_LETTERED = re.compile(r"\([a-z]{1,2}\)\s+[A-ZÄÖÜ]")
_LETTER = re.compile(r"[^\W\d_]{2}")
_DASH = re.compile(r"(?<=\S)\s+[–—]$")
_ZU = re.compile(r"\((?:zu|to) .{3,200}\)")
_ANNEXES = {"Anlage", "Anhang", "Annex", "Appendix"}
_ANNEXED_TO = re.compile(r"(?:zu[mr]?|to)\s\S")
"""'Anlage 1 zur Prüfungsordnung für ...': the title after an annex may take more than one line of plain text."""
_HYPHENS = "-\u00ad"
NO_HEADING = (0, Numbered("", "", ""))


def possible_heading(lines: Sequence[TextLine], index: int, style: Style) -> tuple[int, Numbered]:
    """Return how many lines a heading at ``index`` would fill (0: not a heading), and its number and words."""
    line = lines[index]
    if line.note or line.verbatim or len(line.text) > MAX_HEADING or not _apart(lines, index, style):
        return NO_HEADING
    numbered = split_number(line.text)
    if line.side:
        return _in_margin(lines, index, numbered, style)
    if line.size < (SMALLEST_CODED if numbered.unit == "code" and line.bold else SMALLEST) * style.size:
        return NO_HEADING
    late = line.page > 0 and line.page >= lines[-1].page // 3
    if late and not numbered.number and style.stands_out(line) and (match := _APPENDIX.fullmatch(line.text)):
        numbered = Numbered("letter", match[1], match[2])
    if numbered.number and not _may_be_numbered(lines, index, numbered, style):
        return NO_HEADING
    count = _title_lines(lines, index, numbered, style)
    if not numbered.number and not _may_be_unnumbered(lines, index, count, style):
        return NO_HEADING
    if lines[index + count - 1].text.endswith(tuple(_HYPHENS)):  # the word continues in a line that is not a heading
        return NO_HEADING
    text = _DASH.sub("", " ".join(part.text for part in lines[index : index + count]))
    if numbered.unit == "letter" and not split_number(text).number:
        whole = _APPENDIX.fullmatch(text)
        return count, Numbered("letter", numbered.number, whole[2] if whole else numbered.heading)
    return count, split_number(text)


def _in_margin(lines: Sequence[TextLine], index: int, numbered: Numbered, style: Style) -> tuple[int, Numbered]:
    """Return a heading in the margin, which is one line; a number alone may have its title beside it ("Chapter 1.")."""
    if not numbered.number:
        return NO_HEADING
    if numbered.heading or index + 1 >= len(lines) or not style.is_larger(lines[index + 1]):
        return 1, numbered
    count = _title_lines(lines, index + 1, Numbered("", "", ""), style)
    title = " ".join(line.text for line in lines[index + 1 : index + 1 + count])
    return 1 + count, Numbered(numbered.unit, numbered.number, title)


def _may_be_numbered(lines: Sequence[TextLine], index: int, numbered: Numbered, style: Style) -> bool:
    if _NOT_TITLE.match(numbered.heading) or is_date_or_address(numbered.heading):
        return False
    title = numbered.heading.rstrip(_HYPHENS)
    # In larger letters a title may begin with a name that is written small: "3.13 /opt: software", "4.1 libc".
    if numbered.unit in ("decimal", "code") and not _titlelike(title, small=style.is_larger(lines[index])):
        return False
    if not numbered.heading or style.is_special(lines[index]) or _single(lines, index, style):
        return True
    return _is_annexed(numbered) and _single(lines, index, style, wrapped=True)


def _is_annexed(numbered: Numbered) -> bool:
    return numbered.unit in _ANNEXES and " " in numbered.number and bool(_ANNEXED_TO.match(numbered.heading))


def _may_be_unnumbered(lines: Sequence[TextLine], index: int, count: int, style: Style) -> bool:
    line = lines[index]
    if line.cells > 1:
        return False
    if is_known_heading(line.text) and _closed(lines, index, style):
        return True
    if not _closed(lines, index + count - 1, style):
        return False
    own = lines[index : index + count]
    if count > 1 and not style.is_larger(line) and not is_short_title(own):
        return False
    if line.size < FRAMED_LARGER * style.size and (
        is_paragraph(own) or is_sentence(" ".join(each.text for each in own))
    ):
        return False
    if is_caption(line.text) or is_row_of_figures(line.text) or is_date_or_address(line.text):
        return False
    if is_list_of_names(line.text) or goes_on_below(lines, index + count):
        return False
    if not style.is_larger(line) and is_term_alone(lines, index):
        return False
    lettered = line.bold and _LETTERED.match(line.text)
    if not style.stands_out(line) or line.mixed or not (lettered or _titlelike(line.text.rstrip(_HYPHENS))):
        return False
    if line.framed and line.size < FRAMED_LARGER * style.size:
        return False
    return style.is_larger(line) or len(line.text) <= MAX_PLAIN_TITLE


def _titlelike(text: str, *, small: bool = False) -> bool:
    """Return whether words may be a title. ``small``: they need not begin with a capital letter."""
    # A title in larger letters may go on in the next line, which closes its brackets.
    unbalanced = not small and any(text.count(opening) != text.count(closing) for opening, closing in ("()", "[]"))
    if not text or text[0] in ")]}" or unbalanced:
        return False
    bare = text.lstrip("\"'„“‘(«")
    opens_well = bare[:1].isupper() or bare[:1].isdigit() or (len(bare) < len(text) and text[0] != "(")
    if text[0] == "(" or text.endswith((",", ";", "-")):
        return False
    return bool(_LETTER.search(text)) and (opens_well or small)


def _gap_above(lines: Sequence[TextLine], index: int, style: Style) -> bool:
    if index == 0:
        return True
    before, line = lines[index - 1], lines[index]
    if before.page != line.page or before.column != line.column:
        return True
    pitch = style.pitches.get(style.size, 1.25 * style.size)
    return line.base - before.base > 1.12 * max(pitch, line.size * 1.1) + 0.3


def _apart(lines: Sequence[TextLine], index: int, style: Style) -> bool:
    """Return whether there is space above the line or its style changes."""
    if lines[index].side or _gap_above(lines, index, style):
        return True
    return style.is_special(lines[index]) and not style.is_special(lines[index - 1])


def _closed(lines: Sequence[TextLine], index: int, style: Style) -> bool:
    """Return whether there is space below the line or the style changes after it."""
    if index + 1 >= len(lines):
        return True
    return (
        _apart(lines, index + 1, style)
        or lines[index].size != lines[index + 1].size
        or lines[index].bold != lines[index + 1].bold
    )


def _single(lines: Sequence[TextLine], index: int, style: Style, *, wrapped: bool = False) -> bool:
    """Return whether a plain line may be a heading: alone between spaces, no sentence, not indented.

    With ``wrapped``, the lines it continues on belong to it.
    """
    line = lines[index]
    last = index
    while last + 1 < len(lines) and last - index < 2 and not _gap_above(lines, last + 1, style):
        last += 1
    text = lines[last].text
    if last > index and not wrapped and not (style.mono and lines[last].x0 > line.x0 + line.size and last - index <= 1):
        return False
    if _SENTENCE_END.search(text) and not text.endswith(("etc.", "?")):
        return False
    centred = abs(line.x0 + line.x1 - style.left - style.right) < 4 * style.size
    near = line.x0 <= style.left + 2.5 * style.size + (0 if style.mono else 60)
    return _closed(lines, last, style) and (near or centred)


def _title_lines(lines: Sequence[TextLine], index: int, numbered: Numbered, style: Style) -> int:
    """Return how many lines the heading fills: lines of its style without a space or number of their own."""
    count = 1
    first = lines[index]
    bare = not numbered.heading
    if bare and numbered.unit in _ANNEXES and index + 1 < len(lines) and _ZU.fullmatch(lines[index + 1].text):
        titled = index + 2 < len(lines) and lines[index + 2].page == first.page and style.stands_out(lines[index + 2])
        if not titled or not _titlelike(lines[index + 2].text):
            return 2
        return 2 + _title_lines(lines, index + 2, Numbered("", "", ""), style)
    while index + count < len(lines) and count < MAX_TITLE_LINES:
        line = lines[index + count]
        if line.page != first.page or line.column != first.column or line.note or split_number(line.text).number:
            break
        alike = abs(line.size - first.size) < 0.3 and line.bold == first.bold
        close = not _gap_above(lines, index + count, style)
        titled = bare and count == 1 and style.stands_out(line) and _titlelike(line.text)
        leading = (1.45 if first.size < 1.3 * style.size else 2.2) * first.size
        wrapped = alike and style.stands_out(first) and line.base - lines[index + count - 1].base < leading
        goes_on = style.stands_out(first) or first.mono or _is_annexed(numbered)
        if not (titled or wrapped or (alike and close and goes_on)):
            break
        count += 1
    return count

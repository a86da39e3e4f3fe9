"""Tells captions, sentences, dates, rows of figures and title pages from the headings they look like. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.ingest.page.body_font import Style
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.notation.months import MONTH

_CAPTION = re.compile(
    r"(?:figure|fig|table|tab|listing|algorithm|exhibit|diagram|abbildung|abb|tabelle|algorithmus|schaubild|diagramm)"
    r"\.?\s*(?:[A-Z][.-]?)?\d{1,3}(?:[.-]\d{1,3})*[a-z]?(?![\w%])",
    re.IGNORECASE,
)
_DATE = re.compile(rf"(?:\d{{1,2}}\.?\s+)?(?:{MONTH}|[A-Z][a-z]{{2}})\.?\s+(?:\d{{1,2}},\s+)?(?:1[6-9]|20)\d\d", re.I)
_ADDRESS = re.compile(r"\S@\S+\.\w{2}")
_NUMBERED_NAME = re.compile(r"[A-ZÄÖÜ][^\W\d_]{2,}\d[.,](?:\s|$)")
_STOP = re.compile(r"[^\W\d_]{3}[.;]$")
_SMALL_WORD, _END = re.compile(r"[a-zäöü]{2,}\s"), re.compile(r"[.?!:–—]$")
_SMALL = re.compile(r"[a-zäöüß]")
_WORD = re.compile(r"[^\W\d_]{2}")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_IDENTIFIER = re.compile(r"[^\W\d_]\w*_\w+(?:\(\))?")
"""A name in programs of several words: 'SET_LEVEL', 'read_file()'."""
_NEAR = 8
"""Number of lines before and after a term in which another entry of its list begins."""
_LEAST_SENTENCE = 6
"""Minimum number of words of a sentence; "Name of Standard." is a heading with a full stop."""
_LEAST_FIGURES, _MOST_WORDS = 5, 0.5
_MOST_PLAIN, _LONG = 5, 35
"""Maximum number of lines of running text on a title page, and minimum number of characters of such a line."""
_MOST_TITLE_PAGES = 4
_LONG_TITLE = 90
_BOLD_LINES = 3
_LONGEST = 220
"""Maximum number of characters of a heading without a number."""
_CLAUSE_END = re.compile(r"[.;,:]$")


def is_caption(text: str) -> bool:
    """Return whether a line names a figure, a table or a listing by its number: 'Table 2-1: Key sizes'."""
    return bool(_CAPTION.match(text))


def is_sentence(text: str) -> bool:
    """Return whether a line is a whole sentence of running text with its full stop."""
    words = text.split()
    small = sum(bool(_SMALL.match(word)) for word in words)
    return len(words) >= _LEAST_SENTENCE and small >= len(words) / 2 and bool(_STOP.search(text))


def is_date_or_address(text: str) -> bool:
    """Return whether the words are a date or hold the address of a mailbox."""
    return bool(_DATE.fullmatch(text.strip()) or _ADDRESS.search(text))


def is_list_of_names(text: str) -> bool:
    """Return whether names have the numbers of their addresses behind them: 'Author1, Author2 and Author4.'."""
    return bool(_NUMBERED_NAME.search(text))


def goes_on_below(lines: Sequence[TextLine], index: int) -> bool:
    """Return whether the line after a title goes on with its sentence in small letters: a stressed part of it."""
    if index >= len(lines) or lines[index].page != lines[index - 1].page or lines[index].mono:
        return False
    above, line = lines[index - 1], lines[index]
    near = 0 < line.base - above.base < 1.4 * line.size and abs(above.size - line.size) < 0.3
    return near and bool(_SMALL_WORD.match(line.text)) and not _END.search(above.text)


def is_term_alone(lines: Sequence[TextLine], index: int) -> bool:
    """Return whether a name of a program is a term of a list, others of which have their explanation on their line."""
    line = lines[index]
    if not _IDENTIFIER.fullmatch(line.text):
        return False
    near = (one for one in lines[max(0, index - _NEAR) : index + _NEAR + 1] if abs(one.x0 - line.x0) <= 2.0)
    return any(" " in one.text and _IDENTIFIER.fullmatch(one.text.split(" ", 1)[0]) for one in near)


def is_row_of_figures(text: str) -> bool:
    """Return whether hardly any of several words has letters, as in a row of a table."""
    words = text.split()
    return len(words) >= _LEAST_FIGURES and sum(bool(_WORD.search(word)) for word in words) < _MOST_WORDS * len(words)


def is_row_of_cells(text: str) -> bool:
    """Return whether a line is a row of a table: with bars between its cells, or mostly signs such as '–' and '•'."""
    words = text.split()
    signs = sum(not _LETTER_OR_DIGIT.search(word) for word in words)
    return "|" in words or (len(words) >= _LEAST_FIGURES and signs > len(words) / 2)


def is_paragraph(lines: Sequence[TextLine]) -> bool:
    """Return whether the lines are a paragraph of body text on pages with more small print."""
    text = " ".join(line.text for line in lines)
    return len(text) > _LONGEST or (len(text) > _LONG_TITLE and bool(_CLAUSE_END.search(text)))


def is_short_title(lines: Sequence[TextLine]) -> bool:
    """Return whether bold lines are a title rather than a bold paragraph."""
    text = " ".join(line.text for line in lines)
    return len(lines) <= _BOLD_LINES and len(text) <= 2 * _LONG_TITLE and not _CLAUSE_END.search(text)


def title_pages(lines: Sequence[TextLine], style: Style) -> int:
    """Return how many pages at the beginning have no running text; 0 if the lines do not begin on the first page."""
    if not lines or lines[0].page > 0:
        return 0
    plain = [0] * _MOST_TITLE_PAGES
    for line in lines:
        if line.page >= _MOST_TITLE_PAGES:
            break
        plain[line.page] += len(line.text) >= _LONG and not style.stands_out(line)
    return next((page for page, count in enumerate(plain) if count > _MOST_PLAIN), 0)

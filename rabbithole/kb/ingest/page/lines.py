"""Lines of text with the typography needed to find structure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .tex_letters import composed, mended

Box = tuple[float, float, float, float]
"""Left, top, right and bottom of what stands on a page, in points from the top left."""
UNREADABLE = "\ufffd"
LONGEST_REPEATED = 200
"""Letters of a merged table cell up to which it is repeated in each row it covers; a longer one stands in the first."""
_SYMBOLS = {
    **dict.fromkeys(range(0xE000, 0xF900), UNREADABLE),  # private use of fonts: the letter is unknown
    **dict.fromkeys(
        (0xF0A7, 0xF0B7, 0xF0D8, 0xF076, 0xF077, 0xF06C, 0xF06E), "•"
    ),  # common signs of Symbol and Wingdings
    **dict.fromkeys((0xF0A8, 0xF06F, 0xF071), "☐"),
    **dict.fromkeys((0xF0FE, 0xF078, 0xF0FD), "☒"),
    0xF0FC: "✓",
    0xF0E0: "→",
    0xF02D: "-",
    0xF0B0: "°",
    0xF0B1: "±",
    0xF0B4: "×",
    0xF06D: "µ",
}
_WINGDINGS = {code - 0xF000: sign for code, sign in _SYMBOLS.items() if 0xF020 <= code <= 0xF0FF and sign != UNREADABLE}
_LIGATURES = str.maketrans(
    _SYMBOLS
    | {
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "st",
        "ﬆ": "st",
        "\u00a0": " ",
        "\u2007": " ",
        "\u202f": " ",
    }
)
_BROKEN_LINE = re.compile(rf"←{UNREADABLE}")
"""What DocBook's PDFs print where a line of a program was too long: an arrow in two parts."""
_BULLET = re.compile(rf"^{UNREADABLE}{{1,3}}(?=\s*[^\W\d_])")
_UNWANTED = re.compile(
    r"[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ufffe\uffff]"
)


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text. Coordinates are in points from the top left; ``base`` is the baseline.

    ``cells`` counts the pieces separated by wide spaces; ``column`` is set by the reading order, and is negative for
    words in the margin. ``mixed``: mostly bold, but not throughout. ``side``: a heading in the margin with all its
    lines joined. ``framed``: inside a drawn box with other text. ``lead``: how many characters at the start are bold,
    if the rest is not.
    """

    page: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float = 10.0
    bold: bool = False
    mono: bool = False
    font: str = ""
    cells: int = 1
    note: bool = False
    verbatim: bool = False
    column: int = 0
    mixed: bool = False
    side: bool = False
    framed: bool = False
    lead: int = 0

    @property
    def height(self) -> float:
        return max(self.y1 - self.y0, 0.1)


def clean(text: str) -> str:
    """Return text with ligatures expanded, odd blanks plain, control characters removed and unknown ones UNREADABLE."""
    return _BROKEN_LINE.sub("", _UNWANTED.sub("", composed(mended(text)).translate(_LIGATURES).replace("\t", " ")))


def signs(text: str, font: str) -> str:
    """Return the signs that a font of signs shows for letters: Wingdings has a bullet at "w", not a letter.

    TeX's font of the euro sign (package eurosym) has it at "e".
    """
    name = font.lower()
    if "feym" in name or "feyb" in name:
        return text.replace("e", "€")
    return text.translate(_WINGDINGS) if "wingdings" in name else text


def with_bullet(text: str) -> str:
    """Replace an unreadable sign at the start of a line by a bullet: the line is a list item."""
    return _BULLET.sub("• ", text, count=1).replace("•  ", "• ")


def same_row(a: TextLine, b: TextLine) -> bool:
    """Return whether two lines share a baseline, the second to the right of the first."""
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    return overlap > 0.5 * min(a.height, b.height) and b.x0 >= a.x1 - 2


def merge_rows(lines: Iterable[TextLine]) -> list[TextLine]:
    """Merge neighbouring lines on one baseline ("1." and its text)."""
    merged: list[TextLine] = []
    for line in _with_whole_words(lines):
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.column == line.column
            and not line.verbatim
            and not last.verbatim
            and not (last.side or line.side)
            and same_row(last, line)
        ):
            longer = last if len(last.text) >= len(line.text) else line
            merged[-1] = replace(
                last,
                text=with_bullet(f"{last.text} {line.text}"),
                x1=line.x1,
                y0=min(last.y0, line.y0),
                y1=max(last.y1, line.y1),
                base=longer.base,
                size=longer.size,
                bold=last.bold and line.bold,
                mixed=last.mixed or line.mixed,
                font=longer.font,
                lead=last.lead or (len(last.text) if last.bold and not (last.mixed or line.bold) else 0),
                cells=last.cells + (line.cells if line.x0 - last.x1 > 1.2 * last.size else line.cells - 1),
            )
        else:
            merged.append(line)
    return merged


def _with_whole_words(lines: Iterable[TextLine]) -> list[TextLine]:
    """Move a cell that stands between the halves of a word divided in the next column up to the cell above it."""
    whole: list[TextLine] = []
    rest = list(lines)
    for place, line in enumerate(rest):
        beside = rest[place + 1] if place + 1 < len(rest) else None
        if beside is not None and len(whole) > 1 and _divides(whole[-2], whole[-1], line, beside):
            whole[-2] = replace(whole[-2], text=f"{whole[-2].text} {line.text}")
        else:
            whole.append(line)
    return whole


def _divides(above: TextLine, word: TextLine, line: TextLine, beside: TextLine) -> bool:
    """Return whether ``line``, below ``above``, is between a line that ends in a hyphen and its continuation."""
    if not word.text.endswith("-") or word.text.endswith(" -") or not beside.text[:1].islower():
        return False
    if abs(word.x0 - beside.x0) > 2 or abs(above.x0 - line.x0) > 0.5 * line.height or word.mono:
        return False
    return same_row(above, word) and same_row(line, beside) and line.x1 < beside.x0 and word.column == beside.column

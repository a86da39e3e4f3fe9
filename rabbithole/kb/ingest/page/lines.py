"""Lines of text with the little typography that structure needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .tex_letters import mended

UNREADABLE = "\ufffd"
_SYMBOLS = {
    **dict.fromkeys(range(0xE000, 0xF900), UNREADABLE),  # what fonts keep for themselves: no letter that is known
    **dict.fromkeys((0xF0A7, 0xF0B7, 0xF0D8, 0xF076, 0xF06C, 0xF06E), "•"),  # the signs of Symbol and Wingdings in use
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
_BULLET = re.compile(rf"^{UNREADABLE}{{1,3}}(?=\s*[^\W\d_])")
_UNWANTED = re.compile(
    r"[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ufffe\uffff]"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text. Coordinates in points from the top left; ``base`` is where the letters stand.

    ``cells`` counts the pieces with wide spaces between them; ``column`` is set by the reading order.
    ``mixed``: mostly bold, but not to its end; ``side``: a heading in the margin, all its lines in one;
    ``framed``: in a drawn box with other text.
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

    @property
    def height(self) -> float:
        return max(self.y1 - self.y0, 0.1)


def clean(text: str) -> str:
    """Ligatures expanded, odd blanks made plain, invisible and control characters removed, unknown ones UNREADABLE."""
    return _UNWANTED.sub("", mended(text).translate(_LIGATURES).replace("\t", " "))


def with_bullet(text: str) -> str:
    """A line that begins with an unreadable sign is an item of a list."""
    return _BULLET.sub("• ", text, count=1).replace("•  ", "• ")


def same_row(a: Line, b: Line) -> bool:
    """Whether two lines stand on one baseline, the second to the right of the first."""
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    return overlap > 0.5 * min(a.height, b.height) and b.x0 >= a.x1 - 2


def merge_rows(lines: Iterable[Line]) -> list[Line]:
    """Neighbouring lines of one baseline become one line ("1." and its text)."""
    merged: list[Line] = []
    for line in lines:
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
                text=f"{last.text} {line.text}",
                x1=line.x1,
                y0=min(last.y0, line.y0),
                y1=max(last.y1, line.y1),
                base=longer.base,
                size=longer.size,
                bold=last.bold and line.bold,
                mixed=last.mixed or line.mixed,
                font=longer.font,
                cells=last.cells + (line.cells if line.x0 - last.x1 > 1.2 * last.size else line.cells - 1),
            )
        else:
            merged.append(line)
    return merged

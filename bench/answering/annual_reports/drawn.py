"""Draws a report line by line, as layout programs do: a table is words at places, with dots before the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pymupdf

from .reports import Report, filled

_WIDTH, _HEIGHT = 612, 792  # points; US letter
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 552, 90, 716
_NAMES = {"r": "helv", "b": "hebo", "i": "heit"}
_FONTS = {key: pymupdf.Font(name) for key, name in _NAMES.items()}
_PLAIN = str.maketrans({"’": "'", "—": "-", "–": "-", "•": "\u00b7"})
"""What the built-in fonts cannot write."""
_HEADINGS = {"h1": (60, 24, "b", 15.0, 8), "h2": (50, 18, "b", 11.0, 3), "h3": (44, 14, "i", 9.8, 2)}
"""Kind -> room it needs, space above, font, size, space below; all but the font in points."""
_INDENTS = {"i1": 12, "i2": 24}
_TABLE_SIZE = 8.6
Table = Mapping[str, Any]


def draw_report(report: Report, path: Path) -> None:
    drawing = Drawing(report.head)
    for kind, *content in filled(report):
        drawing.add(kind, content)
    drawing.document.set_metadata({"title": report.title})
    drawing.document.save(path, deflate=True)


def wrapped(text: str, size: float, width: float) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if _FONTS["r"].text_length(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def figure(value: float | str, decimals: int) -> str:
    if isinstance(value, str):
        return value
    if value == 0:
        return "—"
    digits = f"{abs(value):,.{decimals}f}"
    return f"({digits})" if value < 0 else digits


class Drawing:
    """A document that grows downwards; ``y`` is the baseline of the last line on the last page."""

    def __init__(self, head: str) -> None:
        self.document = pymupdf.open()
        self.head = head
        self.running = ""
        self.y = 0.0

    def add(self, kind: str, content: Sequence[Any]) -> None:
        if kind == "page":
            self._page()
        elif kind == "running":
            (self.running,) = content
        elif kind == "cover":
            self.y, text, font, size = content
            self._text(_LEFT, text, font, size)
        elif kind in _HEADINGS:
            self._heading(kind, content[0])
        elif kind == "letter":
            self._letter(content[0])
        elif kind == "bullets":
            self._bullets(content[0])
        elif kind == "table":
            self._table(content[0])
        else:
            self._paragraph(content[0], _LEFT)

    def _page(self) -> None:
        self.page = self.document.new_page(width=_WIDTH, height=_HEIGHT)
        self.y = 50
        self._text(_LEFT, self.head, "b", 7.5)
        self._text(_RIGHT - _FONTS["r"].text_length(self.running, 7.5), self.running, "r", 7.5)
        self.page.draw_line((_LEFT, 56), (_RIGHT, 56), width=0.5, color=(0.2, 0.45, 0.3))
        if len(self.document) > 1:  # the cover has no number
            self.y = 760
            self._text(_RIGHT - 14, str(len(self.document)), "r", 8)
        self.y = _TOP

    def _need(self, height: float) -> None:
        if self.y + height > _BOTTOM:
            self._page()

    def _text(self, x: float, text: str, font: str, size: float) -> None:
        self.page.insert_text((x, self.y), text.translate(_PLAIN), fontname=_NAMES[font], fontsize=size)

    def _rule(self, left: float, right: float, below: float, width: float) -> None:
        self.page.draw_line((left, self.y + below), (right, self.y + below), width=width)

    def _heading(self, kind: str, text: str) -> None:
        room, above, font, size, below = _HEADINGS[kind]
        self._need(room)
        self.y += above
        self._text(_LEFT, text, font, size)
        self.y += below

    def _paragraph(self, text: str, left: float) -> None:
        for line in wrapped(text, 10.2, _RIGHT - left):
            self._need(15.6)
            self.y += 15.6
            self._text(left, line, "r", 10.2)
        self.y += 6

    def _bullets(self, texts: Sequence[str]) -> None:
        for text in texts:
            self._need(14)
            self.y += 13
            self._text(_LEFT + 6, "•", "r", 9.3)
            self.y -= 13
            self._paragraph(text, _LEFT + 18)
            self.y -= 3
        self.y += 4

    def _letter(self, paragraphs: Sequence[str]) -> None:
        """Set a letter in two columns; a page follows it."""
        width = (_RIGHT - _LEFT - 20) / 2
        lines = [line for text in paragraphs for line in (*wrapped(text, 9, width), "")]
        top = self.y
        for left in (_LEFT, _LEFT + width + 20):
            self.y = top
            while lines and self.y < _BOTTOM - 14:
                self.y += 12.6
                self._text(left, lines.pop(0), "r", 9)
        if lines:
            self._page()

    # --- tables -------------------------------------------------------------------------------------------------------

    def _table(self, held: Table) -> None:
        heads, rows, width = held["heads"], held["rows"], held.get("width", 78)
        self._need(min(30 + 13 * len(heads) + 12.5 * len(rows), 560))
        for key, above, font, size in (("title", 16, "b", 10), ("unit", 12, "i", 8)):
            if key in held:
                self.y += above
                self._text(_LEFT, held[key], font, size)
        count = len(heads[-1])
        ends = [_RIGHT - width * (count - 1 - at) for at in range(count)]
        for head in heads:
            self._head(head, ends, width)
        self.y += 3
        self._rule(_LEFT, _RIGHT, 0, 0.8)
        for label, values, marks in rows:
            self._row(label, values, marks.split(), ends, width)
        self.y += 14

    def _head(self, head: Sequence[str], ends: Sequence[float], width: float) -> None:
        """Set a line of the head; a single text above several columns is centred over a rule."""
        self.y += 11.5
        lengths = [_FONTS["b"].text_length(text, 7.8) for text in head]
        if len(head) == 1 and len(ends) > 1:
            left = ends[0] - width
            self._text((left + _RIGHT) / 2 - lengths[0] / 2, head[0], "b", 7.8)
            self._rule(left + 14, _RIGHT, 3, 0.5)
            self.y += 2
            return
        for end, text, length in zip(ends, head, lengths, strict=True):
            self._text(end - length - 3, text, "b", 7.8)

    def _row(
        self, label: str, values: Sequence[Any] | None, flags: Sequence[str], ends: Sequence[float], width: float
    ) -> None:
        self._need(26)
        self.y += 12.5
        font = "b" if "b" in flags else "r"
        left = _LEFT + next((_INDENTS[one] for one in flags if one in _INDENTS), 0)
        if "t" in flags or "d" in flags:
            for end in ends:
                self._rule(end - width + 22, end, -9, 0.5)
        self._text(left, label, font, _TABLE_SIZE)
        if values is None:
            return
        self._dots(left + _FONTS[font].text_length(label, _TABLE_SIZE) + 4, ends[0] - width)
        for end, value in zip(ends, values, strict=True):
            self._figure(value, flags, font, end, end - width)
        if "d" in flags:
            for end in ends:
                self._rule(end - width + 22, end, 2.5, 0.4)
                self._rule(end - width + 22, end, 4, 0.4)
            self.y += 3

    def _dots(self, left: float, right: float) -> None:
        if int((right + 10 - left) / 3.2) > 3:
            count = int((right + 16 - left) / _FONTS["r"].text_length(".", _TABLE_SIZE))
            self._text(left, "." * count, "r", _TABLE_SIZE)

    def _figure(self, value: float | str, flags: Sequence[str], font: str, end: float, start: float) -> None:
        text = figure(value, 2 if "e" in flags else 1 if "p" in flags else 0)
        if "%" in flags and text != "—":
            text += "%"
        # Digits stand below digits: a bracket or per cent sign hangs over to the right.
        length = _FONTS[font].text_length(text.rstrip(")%"), _TABLE_SIZE)
        self._text(end - length - 6, text, font, _TABLE_SIZE)
        if "$" in flags:
            self._text(start + 24, "$", font, _TABLE_SIZE)

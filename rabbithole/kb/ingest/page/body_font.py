"""Determines the style of a document's running text, and which lines stand out from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .lines import TextLine
from .paragraphs import line_pitches

LARGER = 1.12
COMMON_FONT = 0.1


@dataclass(frozen=True, slots=True)
class Style:
    """The style of the running text and its line spacing."""

    size: float
    bold: bool
    mono: bool
    left: float
    right: float
    pitches: dict[float, float]
    common_fonts: frozenset[str] = frozenset()

    def is_larger(self, line: TextLine) -> bool:
        """Return whether the line's letters are larger than the text's."""
        return line.size >= LARGER * self.size

    def stands_out(self, line: TextLine) -> bool:
        """Return whether the line's letters are larger than the text's, or bold."""
        return self.is_larger(line) or (line.bold and not self.bold)

    def is_special(self, line: TextLine) -> bool:
        """Return whether the line stands out or uses a font that is not common in the text."""
        return self.stands_out(line) or (bool(line.font) and line.font not in self.common_fonts)


def body_style(lines: Sequence[TextLine]) -> Style:
    """Return the style that most letters have."""
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

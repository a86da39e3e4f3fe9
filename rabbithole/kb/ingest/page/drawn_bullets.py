"""Finds bullets of lists that are drawn rather than set as letters: so browsers print the lists of web pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rabbithole.kb.mupdf import pymupdf

from .lines import Box, TextLine

SMALLEST, LARGEST = 1.2, 0.75
"""Minimum width of a bullet in points, and maximum width as a share of the letters' size."""
ROUND = 0.75
"""Maximum difference of its width and height in points."""
NEAREST, FARTHEST = 1.0, 2.0
"""Its distance from the line: at least so many points, at most so many times the letters' size."""
APART = 8.0
"""Minimum distance in points from what stands on its left, another line or another such sign."""
MAX_SHAPES = 300
"""Drawn shapes on a page from which on they are points of a drawing."""
WITH_STROKE = 60.0
"""Maximum width in points of a shape that may be a bullet, if the box includes room for the corners of its stroke."""


def drawn_bullets(page: pymupdf.Page, boxes: Sequence[Box]) -> list[Box]:
    """Return the small shapes of a page that are as wide as high. ``boxes`` are those of all shapes, with strokes."""
    if len(boxes) > MAX_SHAPES or not any(_is_round(box) and box[2] - box[0] <= WITH_STROKE for box in boxes):
        return []
    shapes: list[Box] = [tuple(shape["rect"]) for shape in page.get_cdrawings()]
    return [box for box in shapes if _is_round(box)]


def with_bullets(lines: Sequence[TextLine], bullets: Sequence[Box]) -> list[TextLine]:
    """Return the lines with "• " before those that begin with one of these shapes."""
    return [_marked(line, lines, bullets) for line in lines] if bullets else list(lines)


def _is_round(box: Box) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    return width >= SMALLEST and abs(width - height) <= ROUND


def _marked(line: TextLine, lines: Sequence[TextLine], bullets: Sequence[Box]) -> TextLine:
    on_row = [box for box in bullets if line.y0 <= (box[1] + box[3]) / 2 <= line.y1 and box[2] <= line.x0]
    near = max(on_row, key=lambda box: box[2], default=None)
    if near is None or near[2] - near[0] > LARGEST * line.size:
        return line
    if not NEAREST <= line.x0 - near[2] <= FARTHEST * line.size:
        return line
    left = [box[2] for box in on_row if box is not near]
    left += [other.x1 for other in lines if other.y0 <= line.base <= other.y1 and other.x1 <= line.x0]
    if any(end > near[0] - APART for end in left):
        return line
    return replace(line, text=f"• {line.text}", x0=near[0], lead=line.lead + 2 if line.lead else 0)

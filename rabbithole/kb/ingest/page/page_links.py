"""Link annotations of a page and their targets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rabbithole.kb.mupdf import pymupdf

from .line_reader import TEXT_FLAGS
from .lines import Box, TextLine, clean

_BRACKETED = re.compile(r"\((?:[^()]|\([^()]*\))*\)")

Word = tuple[float, float, float, float, str]


@dataclass(frozen=True, slots=True)
class PageLink:
    """A rectangle on a page that links to a page of the same file, to another file or to an address."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    uri: str = ""
    target_page: int | None = None
    target_file: str = ""
    target_x: float | None = None
    target_y: float | None = None
    from_bottom: bool = False
    """Whether ``target_y`` counts from the bottom of the page, as the library returns named destinations."""
    words: str = ""
    """The words inside the rectangle, without signs at their end that belong to the sentence around them."""


def read_links(page: pymupdf.Page, number: int) -> list[PageLink]:
    """Return the links to pages, files and web addresses; others (sounds, scripts) are left out."""
    links: list[PageLink] = []
    found = page.get_links()
    words: list[Word] = [word[:5] for word in page.get_text("words", flags=TEXT_FLAGS)] if found else []
    for link in found:
        box = link["from"]
        target = link.get("to")
        across, height = (target.x, target.y) if isinstance(target, pymupdf.Point) else (None, None)
        named = link.get("kind") == pymupdf.LINK_NAMED
        uri, file = str(link.get("uri") or ""), str(link.get("file") or "")
        goal = link.get("page")
        inside = goal if isinstance(goal, int) and goal >= 0 and not uri else None
        if uri.lower().startswith(("javascript:", "data:")):
            continue
        if uri or file or inside is not None:
            place = box.x0, box.y0, box.x1, box.y1
            own = linked_words(place, words)
            links.append(PageLink(number, *place, uri, inside, file, across, height, named, own))
    return links


def linked_words(box: Box, words: Sequence[Word]) -> str:
    """Return the words whose middle is in a rectangle, without signs and brackets of the sentence around them."""
    inside = [
        word[4]
        for word in words
        if box[0] <= (word[0] + word[2]) / 2 <= box[2] and box[1] <= (word[1] + word[3]) / 2 <= box[3]
    ]
    text = clean(" ".join(inside))
    while text and (text[-1] in ".,;:" or (text[-1] == ")" and text.count(")") > text.count("("))):
        text = text[:-1]
    if _BRACKETED.fullmatch(text):
        return text[1:-1]
    return text.removeprefix("(") if text.count("(") > text.count(")") else text


def line_under(link: PageLink, lines: Sequence[TextLine], indexes: Sequence[int]) -> tuple[int, int, int] | None:
    """Return the line's index and the first and last character of the linked words, or None.

    The characters are estimated from the share of the line's width, and are those of the link's words if these stand
    near: letters differ in width, and so do the spaces of justified lines.
    """
    best: tuple[float, int] | None = None
    for index in indexes:
        line = lines[index]
        overlap_y = min(line.y1, link.y1) - max(line.y0, link.y0)
        overlap_x = min(line.x1, link.x1) - max(line.x0, link.x0)
        touches = overlap_x > 0 and overlap_y > 0.4 * min(line.height, max(link.y1 - link.y0, 0.1))
        if touches and (best is None or overlap_x * overlap_y > best[0]):
            best = (overlap_x * overlap_y, index)
    if best is None:
        return None
    line = lines[best[1]]
    width = max(line.x1 - line.x0, 0.1)
    first = round((max(link.x0, line.x0) - line.x0) / width * len(line.text))
    last = round((min(link.x1, line.x1) - line.x0) / width * len(line.text))
    if link.words and (near := _nearest(line.text, link.words, first)) is not None:
        return best[1], near, near + len(link.words)
    first, last = _to_words(line.text, max(first, 0), min(last, len(line.text)))
    return (best[1], first, last) if last > first else None


def _nearest(text: str, words: str, place: int) -> int | None:
    """Return where words stand in a line, nearest to a place; None if they do not."""
    found = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)]
    return min(found, key=lambda start: abs(start - place), default=None)


def line_at_target(
    link: PageLink, lines: Sequence[TextLine], indexes: Sequence[int], heights: Sequence[float]
) -> int | None:
    """Return the index of the line an internal link leads to: the first below the target's height, in its column.

    ``indexes`` are the lines of the target page; ``heights`` those of the pages in points. Returns None if the link has
    no coordinates.
    """
    if link.target_page is None or link.target_y is None or link.target_page >= len(heights):
        return None
    y = heights[link.target_page] - link.target_y if link.from_bottom else link.target_y
    below = [index for index in indexes if lines[index].y1 > y + _SLACK]
    x = link.target_x or 0.0
    column = [index for index in below if lines[index].x1 > x and lines[index].x0 < x + _COLUMN] if x > 0 else []
    return min(column or below, key=lambda index: (lines[index].y0, lines[index].x0), default=None)


_SLACK = 2.0
"""Points by which a line may end below a target without being the target."""
_COLUMN = 120.0
"""Maximum number of points to the right of a target at which its line may begin."""


def _to_words(text: str, first: int, last: int) -> tuple[int, int]:
    """Move both ends to word boundaries, because letters differ in width."""
    while first > 0 and not text[first - 1].isspace() and first < len(text) and not text[first : first + 1].isspace():
        first -= 1
    while first < last and text[first].isspace():
        first += 1
    while last < len(text) and not text[last].isspace() and not text[last - 1 : last].isspace():
        last += 1
    while last > first and text[last - 1].isspace():
        last -= 1
    return first, last

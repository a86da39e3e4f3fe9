"""Builds the outline from a PDF's bookmarks and finds their heading lines on the pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rabbithole.kb.ingest.numbers.number_words import number_in_words
from rabbithole.kb.ingest.numbers.numbering import Numbered, split_number
from rabbithole.kb.ingest.page.body_font import Style, body_style
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.notation.roman import from_roman

from .heading import Head
from .heading_alignment import CUT_OFF, MAX_HEADING_LINES, Bookmark, HeadingCandidate, Placer, letters
from .levels import PARTS, is_article_law
from .lookalikes import is_caption

MAX_OPENER = 24
_FILE_NAME = re.compile(
    r"\S.*\.(?:pdf|docx?|dotx?|odt|rtf|pptx?|xlsx?|indd|qxd|dvi|e?ps|jpe?g|png|tiff?|gif|bmp)|microsoft word - .+", re.I
)
_WORD = re.compile(r"\w")
_WORDED = re.compile(r"\s*(\d+(?:\.\d+)*)\.?\s+\S")
_DECIMAL = re.compile(r"\d+(?:\.\d+)*")
_PART = re.compile(r"(?P<numeral>[IVXL]+)\s+(?P<title>\S.*)")
_LABEL = re.compile(r"(?P<unit>chapter|kapitel|part|teil|appendix|anhang)", re.IGNORECASE)
_BARE = re.compile(r"\d{1,3}|[IVXL]{1,6}|[A-Z]")
_OPENERS = {"Chapter", "Kapitel", "Part", "Teil", "Appendix", "Anhang", "Annex"}


def without_headings(bookmarks: Sequence[Bookmark]) -> list[Bookmark]:
    """Return the bookmarks that name a heading; those below a dropped one move up a level.

    Programs that join PDFs add a bookmark with each file's name; others leave blank bookmarks, or a number without its
    words ("1." beside "1. Introduction"). Captions of figures and tables stand inside sections, unless nothing else is
    named.
    """
    captions = {mark.title for mark in bookmarks if is_caption(mark.title.strip())}
    others = any(mark.title not in captions for mark in bookmarks)
    worded = {found[1] for mark in bookmarks if (found := _WORDED.match(mark.title))}
    kept: list[Bookmark] = []
    dropped: list[int] = []
    for mark in bookmarks:
        while dropped and dropped[-1] >= mark.level:
            dropped.pop()
        title = mark.title.strip()
        unwanted = others and mark.title in captions
        if unwanted or _FILE_NAME.fullmatch(title) or not _WORD.search(title) or title.rstrip(".") in worded:
            dropped.append(mark.level)
        else:
            kept.append(replace(mark, level=mark.level - len(dropped)))
    return kept


def heads_from_bookmarks(
    bookmarks: Sequence[Bookmark], lines: Sequence[TextLine], heights: Sequence[float] = ()
) -> list[Head]:
    """Return one head for each bookmark in reading order; if the heading is not printed, it starts at the target.

    ``heights`` are those of the pages in points.
    """
    style = body_style(lines)
    placer = Placer(lines, style, heights)
    titled, bookmarks = bookmarks, _without_part_numerals(bookmarks)
    chosen, targets = placer.place(bookmarks)
    heads: list[Head] = []
    position = 0
    later = _next_lines(chosen, len(lines))
    for place, mark in enumerate(bookmarks):
        found = chosen[place]
        if found is None:
            first, end = placer.page_start(mark.page), placer.page_start(mark.page + 1)
            if position and lines[position - 1].page > mark.page and _is_leaf(bookmarks, place):
                continue  # a word of a drawing: it is not printed, and headings of later pages came before it
            start = _unprinted(targets[place], lines, first, end)
            start = max(position, min(start, later[place]))
            numbered = split_number(titled[place].title)
            heads.append(Head(start, 0, numbered.number, numbered.heading, mark.level, page=mark.page))
            continue
        following = bookmarks[place + 1].title if place + 1 < len(bookmarks) else ""
        start, count = found.index, found.lines
        count += _continued(lines, start, count, style, letters(following))
        numbered = _said(mark, lines, start, count)
        unnumbered = numbered.unit in ("", "letter") or numbered.number == numbered.unit
        opener = _opener(lines, start) if unnumbered else None
        if opener is not None:
            number, above = opener
            start, count, numbered = start - above, count + above, Numbered("", number, numbered.heading or mark.title)
        elif titled[place] != mark:
            numbered = split_number(titled[place].title)
        heads.append(Head(start, count, numbered.number, numbered.heading, mark.level))
        position = max(position, start + count)
    return _under_articles(_nested_by_number(sorted(heads, key=lambda head: head.line)))


def _is_leaf(bookmarks: Sequence[Bookmark], place: int) -> bool:
    return place + 1 == len(bookmarks) or bookmarks[place + 1].level <= bookmarks[place].level


def _next_lines(chosen: Sequence[HeadingCandidate | None], end: int) -> list[int]:
    """Return, for each bookmark, the first line of the next printed heading."""
    later: list[int] = []
    for each in reversed(chosen):
        end = end if each is None else each.index
        later.append(end)
    return later[::-1]


def _said(mark: Bookmark, lines: Sequence[TextLine], start: int, count: int) -> Numbered:
    """Return number and heading as printed, or those of the bookmark if only it has a number."""
    printed = " ".join(line.text for line in lines[start : start + count])
    numbered = split_number(printed)
    if numbered.number:
        return numbered
    of_mark = split_number(mark.title)
    return of_mark if of_mark.number else numbered


def _without_part_numerals(bookmarks: Sequence[Bookmark]) -> list[Bookmark]:
    """Return the bookmarks without the numerals of parts: "I Concepts" is printed as "Part I" over "Concepts"."""
    found = [(place, match) for place, mark in enumerate(bookmarks) if (match := _PART.fullmatch(mark.title.strip()))]
    counted = [(place, match) for place, match in found if bookmarks[place].level == bookmarks[found[0][0]].level]
    if len(counted) < 2 or [from_roman(match["numeral"]) for _, match in counted] != list(range(1, len(counted) + 1)):
        return list(bookmarks)
    titles = {place: match["title"] for place, match in counted}
    return [replace(mark, title=titles[place]) if place in titles else mark for place, mark in enumerate(bookmarks)]


def _opener(lines: Sequence[TextLine], start: int) -> tuple[str, int] | None:
    """Return the number printed above a chapter's title, and on how many lines; or None.

    It is "Kapitel 3" on one line, or "CHAPTER" and "THIRTEEN" on two; the first of these may be gone as a running line.
    """
    above = _above(lines, start, 1)
    if above is None or len(above) > MAX_OPENER:
        return None
    whole = split_number(above)
    if whole.unit in _OPENERS and whole.number != whole.unit and not whole.heading:
        return whole.number, 1
    said = number_in_words(above)
    first = _above(lines, start, 2)
    if first is not None and (label := _LABEL.fullmatch(first.strip())) and (said or _BARE.fullmatch(above)):
        return f"{label['unit'].capitalize()} {said or above}", 2
    return (f"Chapter {said}", 1) if first is None and said and above.isupper() else None


def _above(lines: Sequence[TextLine], start: int, count: int) -> str | None:
    """Return the text of the line ``count`` lines above, or None if it is not on the page."""
    place = start - count
    return lines[place].text if place >= 0 and lines[place].page == lines[start].page else None


def _nested_by_number(heads: list[Head]) -> list[Head]:
    """Nest bookmarks that are all on one level by their decimal numbers."""
    depths = {head: head.number.count(".") for head in heads if _DECIMAL.fullmatch(head.number)}
    if len({head.level for head in depths}) != 1 or len(set(depths.values())) < 2:
        return heads
    least = min(depths.values())
    return [replace(head, level=head.level + depths[head] - least) if head in depths else head for head in heads]


def _under_articles(heads: list[Head]) -> list[Head]:
    """Put the parts of a law that an article enacts below the article if their bookmarks stand beside it."""
    units = [split_number(head.number).unit if head.number else "" for head in heads]
    if not is_article_law(units):
        return heads
    level = min(head.level for head, unit in zip(heads, units, strict=True) if unit == "Artikel")
    beside = {head.level for head, unit in zip(heads, units, strict=True) if unit in PARTS and head.level == level}
    nested: list[Head] = []
    inside = False
    for head, unit in zip(heads, units, strict=True):
        inside = unit == "Artikel" if head.level <= level and unit not in PARTS else inside
        deeper = beside and inside and unit != "Artikel"
        nested.append(replace(head, level=head.level + 1) if deeper else head)
    return nested


def _continued(lines: Sequence[TextLine], start: int, count: int, style: Style, next_title: str) -> int:
    """Return how many more lines belong to a heading whose bookmark was cut off: same style, no space between."""
    last = lines[start + count - 1]
    more = 0
    while start + count + more < len(lines) and more < MAX_HEADING_LINES:
        line = lines[start + count + more]
        alike = abs(line.size - last.size) < 0.3 and line.bold == last.bold and style.stands_out(line)
        close = line.page == last.page and line.column == last.column and 0 < line.base - last.base < 1.7 * line.size
        if not (alike and close) or (next_title and next_title.startswith(letters(line.text)[:CUT_OFF])):
            break
        last, more = line, more + 1
    return more


def _unprinted(height: float | None, lines: Sequence[TextLine], first: int, end: int) -> int:
    """Return where a heading that is not printed would stand on its page, between lines ``first`` and ``end``.

    Without a height this is the top of the page, or its end if text continues from the page before.
    """
    if height is None:
        return end if first < end and lines[first].text[:1].islower() else first
    while first < end and lines[first].y1 < height:
        first += 1
    return first

"""Chooses a document's title by a vote of title page, PDF properties, file name, running headers and bookmarks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .front_matter import FrontMatter
from .title_blocks import extended_title, is_journal_name, title_score
from .title_text import MAX_TITLE, clean, is_garbled, is_useless, likeness, readable_stem, title_words
from .title_words import is_kind, is_mark, is_masthead, is_organisation, is_structure, without_note

_NUMBER_ONLY = re.compile(r"[\d\W]*(?:\(?(?:rev|ver|version|revision|ed|no|nr)\b\.?[\d\W]*)?", re.I)
_SITE = re.compile(r"\s+(?:[—–|·»]|-|::)\s+")
_BESIDE_BOOK = re.compile(r"^(?:[\s—–|·»:-]|\(\))+|(?:[\s—–|·»:-]|\(\))+$")
"""What is left of the signs between a page's title and its book when the book is taken out."""
_PROGRAM = re.compile(r"[a-z][a-z\d]*(?:-[a-z\d]+)+")
"""The name of a program ('avr-libc') looks like the name of a file; on top of a cover it is the title."""
COVER_BLOCKS = 6
"""Maximum number of blocks of text on a cover."""
MIN_HEADER_SHARE = 0.25
"""Minimum share of the pages, told by the most frequent header, on which a header must stand; others name a chapter."""
_CODE = re.compile(r"(?=\S*\d)[^\s_:.-]+(?:[_:.-]+[^\s_:.-]+){2,}")
"""A name of a manuscript or file, such as 'sag-39-3-4-0902-21:sag-0'; a designation like it would be printed."""


class TitleCandidate(NamedTuple):
    """A possible title, its source and its score."""

    text: str
    source: str
    score: float


class ChosenTitle(NamedTuple):
    """The chosen title. ``confidence`` (0-1) depends on how many sources agree and how far behind the next one is."""

    text: str
    source: str
    confidence: float


def choose_title(front: FrontMatter) -> ChosenTitle:
    """Return the title to show to people; never empty."""
    if page := _title_of_page(front):
        return ChosenTitle(page, "file properties", 0.9)
    candidates = (each._replace(text=without_note(each.text)) for each in _candidates(front))
    found = sorted(candidates, key=lambda each: -each.score)
    if not found or found[0].score <= 0:
        return ChosenTitle(readable_stem(front.file), "file name", 0.1)
    best = found[0]
    other = next((each for each in found[1:] if likeness(each.text, best.text) < 0.5), None)
    lead = best.score - max(other.score if other else 0.0, 0.0)
    confidence = min(1.0, max(0.1, best.score / 8)) * (1.0 if lead >= 1 else 0.6)
    return ChosenTitle(best.text, best.source, round(confidence, 2))


def _title_of_page(front: FrontMatter) -> str:
    """Return the title that a page of a book gives itself, if it is also its heading: 'pg_dump', 'srun'; else ''."""
    given = " ".join(str(front.properties.get("title") or "").split())
    page = clean(_without_site(given, front)) if front.properties.get("book") and len(given) <= MAX_TITLE else ""
    return page if page and _is_printed(page, front) and not is_structure(page) else ""


def _candidates(front: FrontMatter) -> Iterator[TitleCandidate]:
    given = " ".join(str(front.properties.get("title") or "").split())
    given = _without_site(given, front)
    coded = _CODE.fullmatch(given) is not None and given.casefold() not in front.text.casefold()
    sane = given if given and len(given) <= MAX_TITLE and not is_useless(given) and not coded else ""
    stem = {word for word in title_words(readable_stem(front.file)) if not word.isdigit() and len(word) > 2}
    headers = [text for text, pages in front.headers.items() if pages >= 2]
    for number, blocks in enumerate(front.blocks):
        if is_garbled(" ".join(block.text for block in blocks)):
            continue
        for place, block in enumerate(blocks):
            if is_journal_name(blocks, place):
                continue
            core = clean(block.text)
            if core == front.properties.get("book"):
                continue
            if core in front.headers and block.ratio < 1.1:
                continue
            score = title_score(block, core, number, blocks)
            if not score:
                continue
            whole = extended_title(blocks, place)
            if len(title_words(whole)) < 2 and not is_kind(core):
                score -= 1.5
            named = number == 0 and place == 0 and len(blocks) <= COVER_BLOCKS and _PROGRAM.fullmatch(whole)
            if score <= 0 or (is_useless(whole) and not named):
                continue
            score += 2.0 * likeness(whole, sane) if sane else 0.0
            score += 1.5 * len(stem & title_words(whole)) / len(stem) if stem else 0.0
            score += max((likeness(whole, header) for header in headers), default=0.0)
            score += 1.0 * is_kind(whole)
            yield TitleCandidate(whole, "title page", score)
    if sane:
        yield TitleCandidate(clean(sane), "file properties", _of_properties(sane, front, stem, headers))
    subject = " ".join(str(front.properties.get("subject") or "").split())
    running = any(likeness(subject, header) > 0.9 for header in _throughout(front))
    if (is_kind(subject) or running) and not is_useless(subject) and len(subject) <= MAX_TITLE:
        yield TitleCandidate(clean(subject), "file properties", _of_properties(subject, front, stem, headers) - 1.0)
    for header in _throughout(front):
        text = clean(header)
        if len(title_words(text)) >= 3 and not is_useless(text) and not is_organisation(text):
            yield TitleCandidate(text, "running header", 1.0 + 1.5 * is_kind(text) * min(1, front.headers[header] / 4))


def _throughout(front: FrontMatter) -> list[str]:
    """Return the headers of several pages that stand throughout the document, not only in one chapter."""
    least = max(2.0, MIN_HEADER_SHARE * max(front.headers.values(), default=0))
    return [text for text, pages in front.headers.items() if pages >= least]


def _without_site(title: str, front: FrontMatter) -> str:
    """Return the title of a web page without its site ("Classes | Manual"), if the rest stands on the page."""
    if not front.file.casefold().endswith((".html", ".htm", ".xhtml")):
        return title
    book = str(front.properties.get("book") or "")
    if book and book in title and (page := _BESIDE_BOOK.sub("", title.replace(book, ""))):
        return page
    page = _SITE.split(title)[0]
    return page if _is_printed(page, front) else title


def _is_printed(title: str, front: FrontMatter) -> bool:
    """Return whether a title stands on the first page as a block of its own."""
    return any(clean(block.text) == clean(title) for blocks in front.blocks[:1] for block in blocks)


def _of_properties(title: str, front: FrontMatter, stem: set[str], headers: Sequence[str]) -> float:
    words = title_words(title)
    printed = title_words(front.text)
    score = 2.0 + 2.0 * len(words & printed) / max(len(words), 1)
    score += 1.0 * len(stem & words) / len(stem) if stem else 0.0
    score += max((likeness(title, header) for header in headers), default=0.0)
    score += 0.5 * is_kind(title) + (0.7 if len(words) >= 4 else 0.0)
    score += 1.5 * _is_printed(title, front)
    number = _NUMBER_ONLY.fullmatch(title) or is_mark(title)
    if len(words) < 2 or number or is_masthead(title) or (is_organisation(title) and not is_kind(title)):
        score -= 5.0 if _NUMBER_ONLY.fullmatch(title) else 2.5
    return score

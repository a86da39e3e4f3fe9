"""Blocks of the title page as titles: the score of their typography, and the lines that continue a title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .front_matter import TextBlock, despaced, is_spaced
from .title_text import MAX_TITLE, clean, is_garbled, title_words
from .title_words import (
    CONTINUES,
    DANGLING,
    is_credit,
    is_form_name,
    is_kind,
    is_mark,
    is_masthead,
    is_organisation,
    is_structure,
    names_people,
)

_SENTENCE = re.compile(r"[.;:]$")
_NUMBERED = re.compile(
    r"^(?:§+\s*\d|(?:\d{1,2}\.)*\d{1,2}\.?\s+[A-ZÄÖÜ]|(?:Chapter|Kapitel|Section|Abschnitt|Article|Artikel|"
    r"Annex|Anlage|Anhang)\s+[\dA-Z])"
)
_IMPRINT = re.compile(
    r"^(?:ausfertigungsdatum|vollzitat|stand|date|datum|publish(?:ed|ing)?|publication|release|revised|issued|effective|"
    r"(?:publish(?:ed|ing)?|publication|release|print(?:ing)?|build) date)\b|^(?:\(c\)|©)\s",
    re.I,
)
_SAYS = re.compile(r"\b(?:wird|werden|ist|sind|hat|haben|is|are|was|were|will|shall|must|has|have)\b")
_IN_CELLS = re.compile(r"\S\s{3,}\S")
_RUNNING = 60
"""Minimum number of characters of running text below a heading."""
_BELOW_JOURNAL = re.compile(r"\W*journal\s+homepage\b", re.IGNORECASE)
_ABOVE_JOURNAL = re.compile(r"\W*contents\s+lists?\s+available\s+at\b", re.IGNORECASE)


def is_journal_name(blocks: Sequence[TextBlock], place: int) -> bool:
    """Return whether a block is the name of a journal, between the lines that publishers print around it."""
    above = blocks[place - 1].text if place else ""
    below = blocks[place + 1].text if place + 1 < len(blocks) else ""
    own = blocks[place].text
    return bool(_BELOW_JOURNAL.match(below) or _ABOVE_JOURNAL.match(above) or _ABOVE_JOURNAL.match(own))


def title_score(block: TextBlock, text: str, page: int, blocks: Sequence[TextBlock]) -> float:
    """Return a block's score as a title from its position and typography; 0 if it is no title."""
    if not 4 <= len(text) <= MAX_TITLE:
        return 0.0
    capitals = page == 0 and block is blocks[0] and _in_centred_capitals(block, blocks)
    stands_alone = block.centred or _above_abstract(block, blocks)
    typed = capitals or (block.lines[0].mono and stands_alone and len(block.lines) <= 4)
    if block.ratio < 1.08 and not (block.bold or typed or is_kind(text)):
        return 0.0
    words = title_words(text)
    if not words or _NUMBERED.match(text) or is_mark(text):
        return 0.0
    if any(is_spaced(line.text) or is_masthead(line.text) for line in block.lines) or is_structure(text):
        return 0.0
    if 2 * sum(_IN_CELLS.search(line.text) is not None for line in block.lines) > len(block.lines):
        return 0.0  # a typed heading in two columns
    if is_garbled(text):
        return 0.0
    largest = max(each.size for each in blocks)
    score = min(block.ratio, 3.0) * 1.2 + 1.5 * (block.size >= 0.95 * largest) + 0.4 * block.bold
    if block.ratio < 1.08 and (text.endswith(".") or "[" in text):
        return 0.0
    if typed and page == 0:
        score += 2.0
    elif block.ratio < 1.08 and not is_kind(text):
        score -= 1.5
    score -= 1.2 * page
    if page == 0 and block.ratio >= 1.3:
        score += 1.5
    if _SAYS.search(text) and (len(words) > 8 or text.endswith(".")):
        score -= 3.0
    if _people(block):
        score -= 4.0 if block.size < 0.95 * largest else 1.0
    if page == 0 and is_kind(text) and any(is_masthead(despaced(each.text)) for each in blocks):
        score += 2.5  # below the name of a gazette, the title is set in small letters
    if is_organisation(text) and not is_kind(text):
        score -= 2.0
    if is_form_name(text):
        score -= 8.0
    if len(words) > 35 or (_SENTENCE.search(text) and len(words) > 12):
        score -= 2.5
    return score


def _above_abstract(block: TextBlock, blocks: Sequence[TextBlock]) -> bool:
    """Return whether the next block is a heading such as 'Abstract': a title that fills a typed line is not centred."""
    below = next((after for before, after in pairwise(blocks) if before is block), None)
    return below is not None and is_structure(below.text)


def _in_centred_capitals(block: TextBlock, blocks: Sequence[TextBlock]) -> bool:
    """Return whether a block of a few lines is set in capitals in the middle, as titles of theses are."""
    lines = [line for each in blocks for line in each.lines]
    middle = min(line.x0 for line in lines) + max(line.x1 for line in lines)
    centred = all(abs(line.x0 + line.x1 - middle) < block.size for line in block.lines)
    return centred and block.text.isupper() and len(block.lines) <= 4 and len(title_words(block.text)) >= 3


def extended_title(blocks: Sequence[TextBlock], place: int) -> str:
    """Return the block with the lines before and after it that continue the title, and a subtitle."""
    block = blocks[place]
    parts = [clean(block.text)]
    first, last = block, block
    for before in reversed(blocks[max(0, place - 2) : place]):
        text = clean(before.text)
        gap = first.top - before.bottom
        opens = is_kind(text.split(" ")[0]) or CONTINUES.match(parts[0]) or DANGLING.search(text)
        if gap < 2.5 * block.size and before.size >= 0.55 * block.size and opens and _joins(text):
            parts.insert(0, text)
            first = before
        else:
            break
    text = " ".join(parts)
    for after in blocks[place + 1 : place + 4]:
        if after.top < last.top + 0.5 * last.size:
            continue  # beside it in another column
        words = _lead(after)
        gap = after.top - last.bottom
        if gap > 3.2 * block.size or not words or not _joins(words) or len(text) + len(words) > MAX_TITLE:
            break
        if CONTINUES.match(words) and after.size >= 0.4 * block.size:
            text = f"{text} {words}"
        elif (
            after.ratio > 1.15
            and after.size >= 0.45 * block.size
            and not _people(after)
            and not is_organisation(words)
            and not is_credit(words)
            and not (words.isupper() and not text.isupper())
            and len(title_words(words)) >= 2
            and not _heads_text(after, blocks)
        ):
            text = f"{text}: {words}" if not text.endswith(("–", "-", ":")) else f"{text} {words}"
        else:
            break
        last = after
    return clean(text)


def _heads_text(block: TextBlock, blocks: Sequence[TextBlock]) -> bool:
    """Return whether a block is the first of several headings of one style, each above running text: no subtitle."""
    heads = [
        one
        for one, below in pairwise(blocks)
        if (one.size, one.bold) == (block.size, block.bold) and below.ratio < 1.08 and len(below.text) >= _RUNNING
    ]
    return len(heads) >= 2 and block in heads


def _lead(block: TextBlock) -> str:
    """Return the lines of a block before the first date, number or address."""
    lines: list[str] = []
    for line in block.lines:
        text = despaced(line.text)
        if is_mark(text) or _IMPRINT.match(text):
            break
        lines.append(text)
        if lines[0].startswith("(") and text.endswith(")"):
            break
    return clean(" ".join(lines))


def _people(block: TextBlock) -> bool:
    return names_people(block.text) or names_people(block.lines[0].text)


def _joins(text: str) -> bool:
    return not (is_mark(text) or is_masthead(text) or is_structure(text) or _NUMBERED.match(text) or len(text) > 200)

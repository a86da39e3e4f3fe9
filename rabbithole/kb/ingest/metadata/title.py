"""Chooses a document's title by a vote of title page, PDF properties, file name, running headers and bookmarks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from .front_matter import FrontMatter, TextBlock, despaced, is_spaced
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
    without_note,
)

MAX_TITLE = 300
_BAD = re.compile(
    r"(?:microsoft (?:word|powerpoint|excel)\b.*|untitled.*|unbenannt.*|ohne titel.*|titel|title|(?:new )?document\d*|"
    r"dokument\d*|presentation\d*|präsentation\d*|(?:.*[/\\])?.{1,80}\.(?:docx?|pdf|indd|tex|dvi|qxd|rtf|odt|"
    r"pptx?|xlsx?|html?|ps|fm|book)"
    r"|layout \d+|slide \d+|powerpoint.*|\W*|[\d\W]+|binder\d*|scan.*|print|druck|main|paper|"
    r"(?:template|vorlage)\S*(?:\s+\S+){0,2}|.{0,2}|"
    r"(?-i:[A-Z][A-Za-z]+-?(?:Regu|Bold|Roman|Italic|Medi|Reg)\w*|[A-Za-z]+[A-Z]+-[A-Z][a-z]{3,4})|\w+_\w+|\S{1,4}|"
    r"(?-i:[A-Z0-9]+(?:[._-][A-Z0-9]+)+|[a-z0-9]+(?:[._-][a-z0-9]+)+)|(?=.*\d)[A-Z0-9]+(?:[._-][A-Z0-9]+)+|"
    r"(?:cover|front|titel)(?:[ -]?(?:page|seite|blatt))?)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}|\d+")
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
_EDGES = re.compile(r"^[\s–—\-•*|]+|[\s–—\-•*|:,]+$")
_BEFORE_HALF, _AFTER_HALF = re.compile(r"\(\s*[–—-]\s+"), re.compile(r"\s+[–—-]\s*\)")
_NOTICE = re.compile(
    r"(?:\A|[\s:.,;–—-]+)(?:copyright\s*)?(?:©|\(c\)|c\u20dd)\s*(?:19|20)\d\d.*", re.IGNORECASE | re.DOTALL
)
_EMPTY_BRACKET = re.compile(r"\(\s*\)")
_NUMBER_ONLY = re.compile(r"[\d\W]*(?:\(?(?:rev|ver|version|revision|ed|no|nr)\b\.?[\d\W]*)?", re.I)
_SITE = re.compile(r"\s+(?:[—–|·»]|-|::)\s+")
_BESIDE_BOOK = re.compile(r"^(?:[\s—–|·»:-]|\(\))+|(?:[\s—–|·»:-]|\(\))+$")
"""What is left of the signs between a page's title and its book when the book is taken out."""
_SURE = 4.0
_PROGRAM = re.compile(r"[a-z][a-z\d]*(?:-[a-z\d]+)+")
"""The name of a program ('avr-libc') looks like the name of a file; on top of a cover it is the title."""
COVER_BLOCKS = 6
"""Maximum number of blocks of text on a cover."""
MIN_HEADER_SHARE = 0.25
"""Minimum share of the pages, told by the most frequent header, on which a header must stand; others name a chapter."""


_CODE = re.compile(r"(?=\S*\d)[^\s_:.-]+(?:[_:.-]+[^\s_:.-]+){2,}")
"""A name of a manuscript or file, such as 'sag-39-3-4-0902-21:sag-0'; a designation like it would be printed."""
_BELOW_JOURNAL = re.compile(r"\W*journal\s+homepage\b", re.IGNORECASE)
_ABOVE_JOURNAL = re.compile(r"\W*contents\s+lists?\s+available\s+at\b", re.IGNORECASE)


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


_BROKEN_WORD = re.compile(r"(?<=[^\W\d_][^\W\d_])- (?=[a-zäöüß]{2})(?!(?:und|oder|bzw|sowie|bis|and|or|nor|to)\b)")
"""The hyphen and blank inside a word that a line break divided: 'Do- kumentation', but not 'Ein- und Ausgabe'."""


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


def is_useless(title: str) -> bool:
    """Return whether a title says nothing: the name of a template, file or font, or a common heading."""
    folded = " ".join(title.split())
    unreadable = "\ufffd" in folded or is_garbled(folded)
    return not folded or bool(_BAD.fullmatch(folded)) or is_structure(folded) or unreadable


def is_garbled(text: str) -> bool:
    """Return whether the letters belong to no human script, as with a font without a character map."""
    others = [letter for letter in text if letter > "\x7f"]
    if not others:
        return False
    symbols = sum(unicodedata.category(letter) == "So" for letter in others)
    if symbols > 4 and symbols > 0.25 * len(text):
        return True
    letters = sum(map(str.isalpha, text))
    if letters < 4:
        return text.count("\ufffd") > 0 and not letters
    odd = sum(letter in "\ufffd\ue000" or unicodedata.category(letter) == "Co" for letter in others)
    accents = [letter for letter in others if letter.isalpha()]
    accented = sum(letter not in "äöüßÄÖÜéèàçñóíáúôêîãõøæœ" for letter in accents)
    if odd > 0.1 * len(text) or accented > 0.25 * letters:
        return True
    return len(accents) > 0.2 * letters and _capitals_within(text) > 2


def _capitals_within(text: str) -> int:
    return sum(one.islower() and other.isupper() for one, other in pairwise(filter(str.isalpha, text)))


def readable_stem(file: str) -> str:
    """Return the file name as words: 'employee_handbook.pdf' -> 'employee handbook'."""
    return re.sub(r"[_\s]+", " ", PurePosixPath(file).stem).strip() or file


def title_words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", text))}


def likeness(first: str, second: str) -> float:
    """Return the share of common words (Dice coefficient), 0-1."""
    one, other = title_words(first), title_words(second)
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


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
            if _is_journal(blocks, place):
                continue
            core = clean(block.text)
            if core == front.properties.get("book"):
                continue
            if core in front.headers and block.ratio < 1.1:
                continue
            score = _typographic(block, core, number, blocks)
            if not score:
                continue
            whole = _extended(blocks, place)
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


def _is_journal(blocks: Sequence[TextBlock], place: int) -> bool:
    """Return whether a block is the name of a journal, between the lines that publishers print around it."""
    above = blocks[place - 1].text if place else ""
    below = blocks[place + 1].text if place + 1 < len(blocks) else ""
    own = blocks[place].text
    return bool(_BELOW_JOURNAL.match(below) or _ABOVE_JOURNAL.match(above) or _ABOVE_JOURNAL.match(own))


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


def _typographic(block: TextBlock, text: str, page: int, blocks: Sequence[TextBlock]) -> float:
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


def _extended(blocks: Sequence[TextBlock], place: int) -> str:
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
        ):
            text = f"{text}: {words}" if not text.endswith(("–", "-", ":")) else f"{text} {words}"
        else:
            break
        last = after
    return clean(text)


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


def clean(text: str) -> str:
    """Return the text without dashes, bars and commas at its ends, footnote marks, and hyphens of line breaks.

    What follows from a copyright notice on is left out.

    A bracket of which one half is empty keeps the other: '( - AbC)' names only the abbreviation.
    """
    folded = _NOTICE.sub("", _BROKEN_WORD.sub("", " ".join(unicodedata.normalize("NFC", text).split())))
    folded = " ".join(_EMPTY_BRACKET.sub("", _AFTER_HALF.sub(")", _BEFORE_HALF.sub("(", folded))).split())
    return re.sub(r"(?<=\w)[∗*†‡]+(?=\s|$)", "", _EDGES.sub("", folded)).strip()

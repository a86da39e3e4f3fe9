"""Pages of a PDF for the browser: the picture, its words, and the place of quoted words. Not thread-safe.

Quotations are found by their letters and digits only (NFKC, case-folded), so white space, hyphenation, ligatures,
quotation marks and table rules make no difference, and else by the letters that every font keeps. A quotation may
continue on the next page.
"""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from pathlib import Path

from rapidfuzz import fuzz

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.models import LEFT_OUT, Model
from rabbithole.kb.mupdf import pymupdf

MAX_QUOTE = 4000
MOST_PIXELS = 60_000_000  # about twice an A0 drawing at 144 dpi
CLOSE_ENOUGH = 90.0
MOST_PARTS, LEAST_PART, LEAST_CLOSE = 4, 6, 12
OVERSHOT = 4  # letters that a part may share by chance with the text after it on the page
_LOST = frozenset("filsßÿı")

Box = tuple[float, float, float, float]


class Word(Model):
    box: Box
    text: str
    marked: bool = False


class PageView(Model):
    """A page; sizes and boxes are in PDF points from the upper left. ``found``: how the quotation was found, or ''."""

    page: int
    label: str
    pages: int
    width: float
    height: float
    words: tuple[Word, ...]
    found: str = ""


def letters(text: str) -> str:
    """Return the letters and digits of a text, the form in which words are compared."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def sturdy_letters(text: str) -> str:
    """Return the letters that fonts keep: without those of ligatures, without ß, and without accents.

    Reading a page word by word loses letters that fonts of TeX do not name ("be nden", "regelmäÿig"), which ingestion
    restores in the text that quotations are taken from.
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in plain if c.isalnum() and c not in _LOST)


def marked_words(
    words: Sequence[str], quote: str, following: Sequence[str] = (), preceding: Sequence[str] = ()
) -> tuple[set[int], str]:
    """Return the indexes of the words the quotation covers, and 'exact', 'close' or 'none'.

    ``following`` are the words of the next page, where a quotation may end, ``preceding`` those of the page before,
    where its lead-in may be. Its parts may be separated by other content: a footer, a header, a figure, the other
    column; its pieces by words left out ("[…]").
    """
    for form in (letters, sturdy_letters):
        owner, text = _stream(words, form)
        beyond, before = form("".join(following)), form("".join(preceding))
        for pieces in ([quote], quote.split(LEFT_OUT)):
            wanted = [kept for piece in pieces if (kept := form(piece))]
            if form is sturdy_letters and len("".join(wanted)) < LEAST_CLOSE:
                continue
            spans = _spans(wanted, text, beyond, before)
            if spans:
                return set().union(*(_with_signs(owner[start:end]) for start, end in spans)), "exact"
    return _similar_words(words, quote)


def _similar_words(words: Sequence[str], quote: str) -> tuple[set[int], str]:
    """Return the indexes of the words most similar to each piece of a quotation, and 'close', or 'none'."""
    owner, text = _stream(words, letters)
    marked: set[int] = set()
    for wanted in map(letters, quote.split(LEFT_OUT)):
        near = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=CLOSE_ENOUGH) if wanted and text else None
        if near is not None and len(wanted) >= LEAST_CLOSE:
            marked |= _with_signs(owner[near.dest_start : near.dest_end])
    return marked, "close" if marked else "none"


def _stream(words: Sequence[str], form: Callable[[str], str]) -> tuple[list[int], str]:
    """Return the letters of all words and, for each, the index of its word."""
    kept = [form(word) for word in words]
    return [index for index, text in enumerate(kept) for _ in text], "".join(kept)


def _spans(wanted: Sequence[str], text: str, beyond: str, before: str) -> list[tuple[int, int]]:
    """Return the spans of all pieces, in order where possible; none if a piece is on none of the pages."""
    spans: list[tuple[int, int]] = []
    after = 0
    for piece in wanted:
        own = _parts(piece, text[after:], beyond, MOST_PARTS)
        offset = after if own else 0
        own = own or _parts(piece, text, beyond, MOST_PARTS)
        if own is None and piece not in before:
            return []
        spans += [(start + offset, end + offset) for start, end in own or ()]
        after = max(after, *(end for _, end in spans)) if spans else after
    return spans


def _parts(wanted: str, text: str, beyond: str, most: int) -> list[tuple[int, int]] | None:
    """Find the wanted letters in at most ``most`` parts; a part on the next page (``beyond``) has no span."""
    at = text.find(wanted)
    if at >= 0:
        return [(at, at + len(wanted))]
    if wanted in beyond:
        return []
    if most == 1:
        return None
    longest = bisect_left(range(len(wanted)), True, key=lambda length: wanted[: length + 1] not in text)
    for length in range(longest, max(longest - OVERSHOT, LEAST_PART) - 1, -1):
        rest = _parts(wanted[length:], text, beyond, most - 1)
        if rest is not None:
            at = text.find(wanted[:length]) if rest else text.rfind(wanted[:length])
            return [(at, at + length), *rest]
    return None


def _with_signs(owners: Sequence[int]) -> set[int]:
    """Return all words from the first to the last, including those without a letter ('§', '-')."""
    return set(range(owners[0], owners[-1] + 1)) if owners else set()


def open_pdf(path: Path) -> pymupdf.Document:
    """Open a PDF. Raises ``KnowledgeBaseError`` with one sentence if the file is missing or unreadable."""
    try:
        return pymupdf.open(path)
    except (RuntimeError, OSError, ValueError) as error:
        raise KnowledgeBaseError(f"The PDF {path.name} cannot be opened: put it back and ingest it again.") from error


def page_view(path: Path, page: int, quote: str = "") -> PageView:
    """Return the words of a page, with the quotation marked. Raises ``KnowledgeBaseError`` if there is no such page."""
    with open_pdf(path) as document:
        checked = _page(document, page)
        turned = checked.rotation_matrix  # word boxes are given for the unrotated page
        words = [(tuple(map(float, pymupdf.Rect(row[:4]) * turned)), row[4]) for row in checked.get_text("words")]
        following = document[page + 1].get_text("words") if quote and page + 1 < document.page_count else []
        preceding = document[page - 1].get_text("words") if LEFT_OUT in quote and page else []
        marked, found = marked_words(
            [text for _, text in words],
            quote[:MAX_QUOTE],
            [row[4] for row in following],
            [row[4] for row in preceding],
        )
        rect = checked.rect
        return PageView(
            page=page, label=checked.get_label() or str(page + 1), pages=document.page_count,
            width=rect.width, height=rect.height, found=found if quote else "",
            words=tuple(
                Word(box=box, text=text, marked=index in marked) for index, (box, text) in enumerate(words)
            ),
        )  # fmt: skip


def page_png(path: Path, page: int, scale: float) -> bytes:
    """Return a PNG of a page; ``scale`` 1 is 72 dpi and is reduced for pages that would have too many pixels."""
    with open_pdf(path) as document:
        shown = _page(document, page)
        scale = min(scale, math.sqrt(MOST_PIXELS / max(shown.rect.width * shown.rect.height, 1.0)))
        pixels = shown.get_pixmap(matrix=pymupdf.Matrix(scale, scale), alpha=False)
        data: bytes = pixels.tobytes("png")
        return data


def marked_pdf(path: Path, page: int, quote: str, target: Path, *, alone: bool = False) -> None:
    """Write a copy of the PDF, or with ``alone`` of that page only, with the quoted words highlighted."""
    view = page_view(path, page, quote)
    with open_pdf(path) as document:
        shown = document[page]
        boxes = [pymupdf.Rect(*word.box) * shown.derotation_matrix for word in view.words if word.marked]
        if boxes:
            shown.add_highlight_annot(boxes)
        if not alone:
            document.save(target, garbage=1, deflate=True)
            return
        with pymupdf.open() as single:  # a new file, without the attachments and bookmarks of the old one
            single.insert_pdf(document, from_page=page, to_page=page, links=False)
            single.save(target, garbage=3, deflate=True)


def _page(document: pymupdf.Document, page: int) -> pymupdf.Page:
    if document.needs_pass or not 0 <= page < document.page_count:
        raise KnowledgeBaseError(f"There is no page {page + 1} in this PDF.")
    return document[page]

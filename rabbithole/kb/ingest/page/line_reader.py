"""Reads the lines of a page with PyMuPDF."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rabbithole.kb.mupdf import pymupdf

from .drawn_bullets import drawn_bullets, with_bullets
from .image_rules import image_rules
from .lines import UNREADABLE, Box, TextLine, clean, signs, with_bullet
from .ocr_lines import is_recognised, steadied
from .tex_letters import has_section_signs, with_sharp_s

# Leaving out TEXT_PRESERVE_LIGATURES expands ligatures. Leaving out TEXT_CID_FOR_UNKNOWN_UNICODE keeps glyphs without a
# known letter from appearing as other letters. Images are not needed.
TEXT_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
VECTOR_BLOCK = 3
OVERPRINT = 2.0
MIN_UNREADABLE, MAX_UNREADABLE_SHARE = 15, 0.05
WIDE = 1.2
MIN_FRAME, MAX_FRAME = 2.5, 0.6
MAX_FRAMES = 300
SUPERSCRIPT_FLAG, ITALIC_FLAG, MONO_FLAG, BOLD_FLAG = 1, 2, 8, 16
_SUPERSCRIPTS = str.maketrans("0123456789+-−–()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾")
_WORD = re.compile(r"[^\W\d_]{2}")
_IN_WORDS = re.compile(
    rf"[^\W\d_]{{2}}{UNREADABLE}|{UNREADABLE}[^\W\d_]{{2}}|{UNREADABLE}{{2}}\s+{UNREADABLE}{{2}}|{UNREADABLE}{{12}}"
)
_SUPERSCRIPT_TEXT = re.compile(r"[\d+\-−–(),;\s*†‡]{1,24}")


def read_lines(page: pymupdf.Page, number: int) -> tuple[list[TextLine], list[Box]]:
    """Return the lines in file order, with font size, weight and superscripts (as Unicode), and the drawn boxes."""
    content = page.get_text("dict", flags=TEXT_FLAGS | pymupdf.TEXT_COLLECT_VECTORS)
    boxes: list[Box] = [block["bbox"] for block in content["blocks"] if block["type"] == VECTOR_BLOCK]
    boxes = boxes or image_rules(page)
    raws = [raw for block in content["blocks"] for raw in block.get("lines", ())]
    upright = [raw for raw in raws if raw["dir"][0] > 0.9]
    # Sideways text beside upright text is a stamp in the margin; if most text is sideways, it is the text.
    chosen = upright if 2 * len(upright) >= len(raws) else raws
    lines = steadied([line for raw in chosen if (line := _line(raw, number)) is not None])
    if any(has_section_signs("".join(span["text"] for span in raw["spans"])) for raw in chosen):
        lines = [replace(line, text=with_sharp_s(line.text)) for line in lines]
    lines = with_bullets(_printed_once(lines), drawn_bullets(page, boxes))
    return _framed(lines, boxes, page.rect.height), boxes


def _printed_once(lines: list[TextLine]) -> list[TextLine]:
    """Drop lines printed over themselves, a way to make letters bold or to show a change."""
    seen: set[tuple[str, int, int]] = set()
    kept: list[TextLine] = []
    for line in lines:
        place = line.text, round(line.x0 / OVERPRINT), round(line.y0 / OVERPRINT)
        if place not in seen:
            kept.append(line)
        seen.add(place)
    return kept


def _framed(lines: list[TextLine], boxes: Sequence[Box], height: float) -> list[TextLine]:
    """Mark lines inside boxes that hold more than one line and less than the page."""
    frames = [box for box in boxes if box[2] - box[0] >= 20 and 8 <= box[3] - box[1] <= MAX_FRAME * height]
    if not frames or len(frames) > MAX_FRAMES:
        return lines
    return [replace(line, framed=True) if _inside(line, frames) else line for line in lines]


def _inside(line: TextLine, frames: Sequence[Box]) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 and y1 - y0 >= MIN_FRAME * line.height for x0, y0, x1, y1 in frames)


def is_garbled(lines: Sequence[TextLine]) -> bool:
    """Return whether many letters of a page are unknown because fonts do not name their glyphs."""
    unreadable = sum(line.text.count(UNREADABLE) for line in lines)
    letters = sum(len(line.text) - line.text.count(" ") for line in lines)
    return unreadable >= MIN_UNREADABLE and unreadable >= MAX_UNREADABLE_SHARE * letters


def loses_words(lines: Sequence[TextLine]) -> bool:
    """Return whether unknown letters are part of words or are words; else they are symbols, as of a drawing."""
    return any(_IN_WORDS.search(line.text) for line in lines)


def read_plain(page: pymupdf.Page, number: int) -> list[TextLine]:
    """Return lines without typography, for pages whose fonts cannot be read in time."""
    lines: list[TextLine] = []
    for x0, y0, x1, y1, text, *_ in page.get_text("blocks", flags=TEXT_FLAGS):
        rows = [row for row in clean(text).splitlines() if row.strip()]
        height = (y1 - y0) / max(len(rows), 1)
        for index, row in enumerate(rows):
            top = y0 + index * height
            lines.append(TextLine(number, row.strip(), x0, top, x1, top + height, top + height, round(height * 0.8, 1)))
    return lines


def _line(raw: Mapping[str, Any], number: int) -> TextLine | None:
    spans = [span for span in raw["spans"] if span["text"]]
    if not spans:
        return None
    text = clean("".join(_span_text(span, spans) for span in spans))
    stripped = with_bullet(text.strip())
    if not stripped:
        return None
    letters: dict[tuple[float, bool, bool, str], int] = {}
    for span in spans:
        key = (round(span["size"] * 2) / 2, _is_bold(span), _is_mono(span), span["font"])
        letters[key] = letters.get(key, 0) + len(span["text"].strip())
    size, bold, mono, font = max(letters, key=lambda key: letters[key])
    if stripped.isupper() and len(letters) > 1:  # small capitals: only the first letters have the real size
        size = max(key[0] for key, count in letters.items() if count)
    x0, y0, x1, y1 = raw["bbox"]
    if mono:  # leading blanks of typewritten text are its indentation
        step = (x1 - x0) / max(len(text), 1)
        x0 += step * (len(text) - len(text.lstrip()))
        x1 -= step * (len(text) - len(text.rstrip()))
    else:
        x1 = max(x0 + 1, x1 - 0.25 * size * (len(text) - len(text.rstrip())))
    base = max(spans, key=lambda span: len(span["text"].strip()))["origin"][1]
    mixed = bold and not all(_is_bold(span) for span in spans if _WORD.search(span["text"]))
    cells = 1 + sum(after["bbox"][0] - before["bbox"][2] > WIDE * size for before, after in itertools.pairwise(spans))
    lead = _lead(spans, stripped)
    cells = 1 if mono else cells
    return TextLine(number, stripped, x0, y0, x1, y1, base, size, bold, mono, font, cells, mixed=mixed, lead=lead)


def _lead(spans: Sequence[Mapping[str, Any]], text: str) -> int:
    """Return how many characters at the start of a line are bold; 0 if all or none are."""
    bold = list(itertools.takewhile(lambda span: _is_bold(span) or not span["text"].strip(), spans))
    lead = clean("".join(span["text"] for span in bold)).strip()
    return len(lead) if lead and len(lead) < len(text) and text.startswith(lead) else 0


def _is_mono(span: Mapping[str, Any]) -> bool:
    return bool(span["flags"] & MONO_FLAG) and not is_recognised(span["font"])


def _is_bold(span: Mapping[str, Any]) -> bool:
    return bool(span["flags"] & BOLD_FLAG) or "bold" in span["font"].lower()


def _span_text(span: Mapping[str, Any], spans: list[Mapping[str, Any]]) -> str:
    text = signs(span["text"], span["font"])
    if span["flags"] & SUPERSCRIPT_FLAG and len(spans) > 1 and _SUPERSCRIPT_TEXT.fullmatch(text):
        return text.translate(_SUPERSCRIPTS)
    return text

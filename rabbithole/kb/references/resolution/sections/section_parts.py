"""Finds the exact place inside a section: paragraph, sentence, number, letter, table or caption."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from rabbithole.kb.models import PathElement
from rabbithole.kb.notation.captions import TABLE


class TextSpan(NamedTuple):
    start: int
    end: int


class PartsFound(NamedTuple):
    """The deepest place found, and the first element of the path that was not found."""

    span: TextSpan
    missing: PathElement | None


LONGEST_TITLE = 160
_LINE = r"(?m:^)[ \t]*"
_MARKERS: dict[str, tuple[str, str]] = {
    "Abs": (_LINE + r"\({value}\)(?=\s|$)", _LINE + r"\(\d+[a-z]?\)(?=\s|$)"),
    "Nr": (_LINE + r"{value}\.(?:[ \t]|$)", _LINE + r"\d+[a-z]?\.(?:[ \t]|$)"),
    "Buchst": (_LINE + r"\(?{value}\)(?=\s|$)", _LINE + r"\(?[a-z]\)(?=\s|$)"),
    "DBuchst": (_LINE + r"{value}\)(?=\s|$)", _LINE + r"([a-z])\1\)(?=\s|$)"),
}
_PARAGRAPH_MARK = re.compile(_LINE + r"\((\d+[a-z]?)\)(?=\s|$)")
_CAPTIONS = {
    "table": TABLE,
    "figure": r"(?:Abbildung|Figure|Abb\.|Fig\.|Bild)",
    "annex": r"(?:Anlage|Anhang|Annex|Appendix|Schedule)",
}
_OF_CONTENTS = re.compile(r"(?:\.[ .]{3,}|\s\d{1,4}$)")
_CAPTION_OF = {
    "Tabelle": "table",
    "table": "table",
    "figure": "figure",
    "Anlage": "annex",
    "Anhang": "annex",
    "annex": "annex",
    "appendix": "annex",
    "schedule": "annex",
}
_ABBREVIATED = re.compile(
    r"\b(?:Abs|Nr|Nrn|Art|S|s|vgl|bzw|ggf|usw|etc|evtl|ca|z|B|d|h|i|V|m|v|u|a|o|g|sog|gem|Bek|geänd|lit|Buchst|bes|insb|"
    r"einschl|entspr|max|min|No|Sec|cf|e|vs|Dr|Prof|St|Str|Mio|Mrd|Ziff|Tab|Abb|Fig|Rn|Az|BGBl|ABl|GMBl)\.$"
)
_ORDINAL = re.compile(
    r"(?P<unit>(?:Abs\.|Absatz|Satz|Nr\.|Nummer|§|Art\.|Artikel|Anlage|Anhang|Teil|und|oder|bis)\s)?\b\d{1,3}[a-z]?\.$"
)
_SENTENCE_END = re.compile(
    r"[.!?](?:[\"“”»)]|\d{1,2})?(?=\s+[\"„«(]?\s?[A-ZÄÖÜ0-9]|(?<=[a-zäöüß0-9][.])(?=[A-ZÄÖÜ][a-zäöüß]+\s))"
)


def find_parts(text: str, path: tuple[PathElement, ...], offset: int = 0) -> PartsFound:
    """Follow ``path`` inside ``text``, the text of a section that begins at ``offset`` of its document.

    The spans returned are offsets into the document.
    """
    span = TextSpan(0, len(text))
    for element in path:
        found = _find(text, span, element)
        if found is None:
            return PartsFound(TextSpan(span.start + offset, span.end + offset), element)
        span = found
    return PartsFound(TextSpan(span.start + offset, span.end + offset), None)


def _find(text: str, within: TextSpan, element: PathElement) -> TextSpan | None:
    unit, value = element
    if unit == "Satz":
        return _sentence(text, within, value)
    if unit in _CAPTION_OF:
        return _caption(text, within, _CAPTIONS[_CAPTION_OF[unit]], value)
    if unit == "Spalte":
        return within
    if unit in _MARKERS:
        if unit == "Nr" and "." in value:
            return _row(text, within, value)
        own, sibling = (_pattern(pattern, value) for pattern in _MARKERS[unit])
        return _marked(text, within, own, sibling) or (
            _numbered_paragraph(text, within, value) if unit == "Abs" else None
        )
    finder = _SPECIAL.get(unit)
    return finder(text, within, value) if finder else None


@lru_cache(maxsize=4096)
def _pattern(pattern: str, value: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("{value}", re.escape(value)))


def _marked(text: str, within: TextSpan, own: re.Pattern[str], sibling: re.Pattern[str]) -> TextSpan | None:
    found = own.search(text, within.start, within.end)
    if found is None:
        return None
    following = sibling.search(text, found.end(), within.end)
    return _trimmed(text, found.start(), following.start() if following else within.end)


def _numbered_paragraph(text: str, within: TextSpan, value: str) -> TextSpan | None:
    """Find a paragraph such as '1.   The controller shall ...' of EU acts; None where paragraphs are marked '(1)'."""
    if _PARAGRAPH_MARK.search(text, within.start, within.end):
        return None
    own, sibling = (_pattern(pattern, value) for pattern in _MARKERS["Nr"])
    return _marked(text, within, own, sibling)


def _paragraph(text: str, within: TextSpan, value: str) -> TextSpan | None:
    """Find '(a)', '(1)', '(iii)' of English statutes and regulations, at a line's start or in running text."""
    kind = r"\d+" if value.isdecimal() else r"[A-Z]" if value.isupper() else r"[a-z]{1,5}"
    for lead in (_LINE, r"(?<=[.;:—–])\s+", r"(?<=\s)"):
        found = _pattern(lead + r"\({value}\)", value).search(text, within.start, within.end)
        if found is not None:
            siblings = re.compile(lead + rf"\((?:{kind})\)")
            following = next(
                (other for other in siblings.finditer(text, found.end(), within.end) if _follows(value, other[0])), None
            )
            return _trimmed(text, found.start(), following.start() if following else within.end)
    return _numbered_paragraph(text, within, value)


def _follows(value: str, marker: str) -> bool:
    """Return whether a marker may follow ``value`` as its sibling: '(b)' after '(a)', '(3)' after '(2)'."""
    other = marker.strip().strip("()")
    if value.isdecimal() and other.isdecimal():
        return int(other) > int(value)
    return (len(value) == len(other) == 1 and ord(other) == ord(value) + 1) or (len(value) > 1 and len(other) > 0)


def _caption(text: str, within: TextSpan, word: str, value: str) -> TextSpan | None:
    """Return a table, figure or annex from its caption to the next caption of its kind or the section's end."""
    lead = _lead(word)
    lines = _pattern(lead + r"\s*{value}(?![\w.]*\d)(?!\s?[\])])", value).finditer(text, within.start, within.end)
    found = min(lines, key=lambda line: (_is_listed(text, line.start()), _likeness(text, line.end())), default=None)
    if found is None or (word != _CAPTIONS["annex"] and _likeness(text, found.end()) == _IN_SENTENCE):
        return None
    following = re.compile(lead + r"\s*\w").search(text, found.end(), within.end)
    return _trimmed(text, found.start(), following.start() if following else within.end)


def is_of_contents(line: str) -> bool:
    """Return whether a line stands in a list of tables or figures: it has leader dots, or ends in a page number."""
    return _OF_CONTENTS.search(line.rstrip()) is not None


def _is_listed(text: str, start: int) -> bool:
    end = text.find("\n", start)
    return is_of_contents(text[start : end if end >= 0 else len(text)])


def caption_inside_a_line(text: str, unit: str, value: str) -> TextSpan | None:
    """Return a table or figure whose caption stands inside a line of text: '... copies Figure 3.22: The editor value'.

    The text beside a figure may be read together with its caption.
    """
    word = _CAPTIONS[_CAPTION_OF[unit]]
    inline = _INLINE.replace("{word}", word)
    found = _pattern(inline.replace("{number}", "{value}"), value).search(text)
    if found is None:
        return None
    others = rf"{_lead(word)}\s*\w|{inline.replace('{number}', _ANY_NUMBER)}"
    following = re.compile(others).search(text, found.end())
    return _trimmed(text, found.start(), following.start() if following else len(text))


def _lead(word: str) -> str:
    return _LINE + r"(?:\*\*|\|[ \t]*)?" + (word if word == _CAPTIONS["annex"] else f"(?i:{word})")


_INLINE = (
    r"(?<![A-Za-z\d(„“\"])(?<!\b(?:in|of|to|by)\s)(?<!\b(?:see|and|und|von|aus|vgl)\s)(?<!\bsiehe\s)(?:"
    r"(?=[A-Z])(?i:{word})\s*{number}:(?=[ \t]*(?:\n|$|[A-ZÄÖÜ\d„“\"'(]|[a-z]\d))"
    r"|(?=[A-Z]{3})(?i:{word})\s*{number}\.(?=[ \t]*(?:\n|$)))"
)
"""'Figure 3: The editor', or 'FIGURE 3.' in capitals at the end of a line."""
_ANY_NUMBER = r"[A-Z]?[\d.-]*\d[a-z]?"
_IN_SENTENCE = 2


def _likeness(text: str, end: int) -> int:
    """Rate the line after a number, 0 most like a caption: 0 'Table 3: ...', 1 'Table 3 Values', 2 'Table 3 shows'."""
    if re.compile(r"[ \t]*(?:[.:–—|-]|\n|$)").match(text, end):
        return 0
    return _IN_SENTENCE if re.compile(r"[ \t]*(?:[a-zäöüß(,;)]|and\b)").match(text, end) else 1


def _heading(text: str, within: TextSpan, value: str) -> TextSpan | None:
    """Find a section that the outline does not list, by a line that begins with its number."""
    lines = _pattern(_LINE + r"{value}\.?(?=[ \t]+\S|$)[^\n]*", value).finditer(text, within.start, within.end)
    candidates = list(lines)
    if not candidates:
        return None
    found = next((line for line in candidates if is_title(line[0])), candidates[0])
    depth = value.count(".")
    following = re.compile(_LINE + r"\d+(?:\.\d+){0," + str(depth) + r"}\.?[ \t]+[A-ZÄÖÜ]").search(
        text, found.end(), within.end
    )
    return _trimmed(text, found.start(), following.start() if following else within.end)


def is_title(line: str) -> bool:
    """Return whether a numbered line is a heading rather than a list item: short and without final punctuation."""
    return len(line) <= LONGEST_TITLE and not line.rstrip().endswith((".", ";", ",", ":"))


def _row(text: str, within: TextSpan, value: str) -> TextSpan | None:
    """Find number '18.4' of an annex: a numbered line or table row, up to the next number that is not below it."""
    mark = _LINE + r"(?:\|[ \t]*)?(?:Nr\.[ \t]*)?"
    found = _pattern(mark + r"{value}\.?(?=[ \t]*\||[ \t]+\S|[ \t]*$)", value).search(text, within.start, within.end)
    if found is None:
        return None
    for other in re.compile(mark + r"(\d+(?:\.\d+)+)\.?(?=[ \t]*\||[ \t]+\S)").finditer(text, found.end(), within.end):
        if not other[1].startswith(value + "."):
            return _trimmed(text, found.start(), other.start())
    return _trimmed(text, found.start(), within.end)


_SPECIAL: dict[str, Callable[[str, TextSpan, str], TextSpan | None]] = {
    "paragraph": _paragraph,
    "section": _heading,
    "Abschnitt": _heading,
    "Kapitel": _heading,
    "chapter": _heading,
}


def _sentence(text: str, within: TextSpan, value: str) -> TextSpan | None:
    """Return the n-th sentence; items of an enumeration belong to the sentence they continue."""
    if not value.isdecimal():
        return None
    spans = sentences(text, within)
    number = int(value)
    return spans[number - 1] if 1 <= number <= len(spans) else None


def sentences(text: str, within: TextSpan) -> list[TextSpan]:
    """Return the sentences of a statute's paragraph, without the paragraph's mark and the section's heading."""
    start = within.start
    if marked := re.compile(r"\s*\(\d+[a-z]?\)\s*").match(text, start, within.end):
        start = marked.end()
    elif (heading := re.compile(r"\s*(?:§|Art)[^\n]*\n").match(text, start, within.end)) and heading.end() < within.end:
        start = heading.end()
    found: list[TextSpan] = []
    for end in _SENTENCE_END.finditer(text, start, within.end):
        before = text[max(start, end.start() - 16) : end.start() + 1]
        ordinal = _ORDINAL.search(before)
        if _ABBREVIATED.search(before) or (ordinal and not ordinal["unit"]) or _enumerates(text, end.end(), within.end):
            continue
        found.append(TextSpan(start, end.end()))
        start = end.end() + len(re.compile(r"\s*").match(text, end.end(), within.end)[0])  # type: ignore[index]
    if text[start : within.end].strip():
        found.append(_trimmed(text, start, within.end))
    return found


def paragraph_at(text: str, offset: int) -> str | None:
    """Return the number of the paragraph '(3)' that contains an offset of a section's text, or None."""
    found: str | None = None
    for mark in _PARAGRAPH_MARK.finditer(text):
        if mark.start() > offset:
            break
        found = mark[1]
    return found


def _enumerates(text: str, start: int, end: int) -> bool:
    """Return whether a list item begins here."""
    return re.compile(r"\s*\n\s*(?:\d+[a-z]?\.|[a-z]{1,2}\))\s").match(text, start, end) is not None


def _trimmed(text: str, start: int, end: int) -> TextSpan:
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return TextSpan(start, end)

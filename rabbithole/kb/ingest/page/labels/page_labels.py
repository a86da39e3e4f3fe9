"""Determines page labels as printed, from the numbers in running headers and footers, else by counting."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rabbithole.kb.notation.roman import from_roman, to_roman

_NUMBER = r"((?!0)\d{1,5})"
_PAGE = r"\b(?:page|seite|p\.|s\.)"
_NAMED = re.compile(rf"{_PAGE}\s*{_NUMBER}\b(?![-–]\d)", re.IGNORECASE)
_PAGE_WORD = re.compile(rf"{_PAGE}\W*$", re.IGNORECASE)
_LONE = re.compile(
    rf"^[\[(\s–—|-]*{_NUMBER}(?:\s*/\s*\d{{1,5}})?[\])\s–—|-]*$|^{_NUMBER}\s{{2,}}\S|\S\s{{2,}}{_NUMBER}$"
)
_EDGE = re.compile(rf"^{_NUMBER}\b|\b{_NUMBER}$")
_CHAPTERED = re.compile(r"([A-Z]{1,2}|[A-Z]\.\d{1,2}|\d{1,2})[-–](\d{1,3})")
"""A page counted within its chapter or appendix: '4-6', 'A-2', 'A.1-13', 'ES-1'."""
_ROMAN = re.compile(r"[ivxl]{1,8}", re.IGNORECASE)
_SIGNS = "[]() –—|-"
"""What stands around the number of a page."""
_LEAST_PAGES = 4
"""Minimum number of pages counted within chapters, or of pages whose numbers only rise because some are left out."""
MIN_SHARE = 0.5
_COMMON = 0.5
"""Minimum share of the pages with running lines that repeat a number which is not the page's: 'Revision 1'."""
_UTF16 = re.compile(r"<FEFF((?:[0-9A-F]{4})*)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _ChapterPage:
    """The page ``number`` of a chapter or an appendix."""

    chapter: str
    number: int

    @property
    def label(self) -> str:
        return f"{self.chapter}-{self.number}"


def decoded(label: str) -> str:
    """Return a page label as text: PyMuPDF gives a prefix in UTF-16 as its hexadecimal digits, "<FEFF0037>" for "7"."""
    return _UTF16.sub(lambda found: bytes.fromhex(found[1]).decode("utf-16-be", "replace"), label)


def chosen_labels(own: Sequence[str], edges: Sequence[Sequence[str]]) -> list[str]:
    """Return the labels of the file, or the printed ones if those stand in the running lines of more pages.

    Some programs only count the pages or go on with the style of the front matter, whatever is printed. ``own`` is
    empty if the file has no labels. A page with neither is counted from 1.
    """
    printed = _printed(edges)
    own = own or [""] * len(edges)
    first, second = (printed, own) if _pages_printed(printed, edges) > _pages_printed(own, edges) else (own, printed)
    return [one or other or str(page) for page, (one, other) in enumerate(zip(first, second, strict=True), 1)]


def _printed(edges: Sequence[Sequence[str]]) -> list[str]:
    """Return the labels that are printed or follow from those on other pages; '' for the rest.

    Pages may be counted through the whole document, or within chapters or appendices; an extract leaves numbers out.
    """
    chaptered = _chaptered(edges)
    rest = [() if index in chaptered else texts for index, texts in enumerate(edges)]
    numbers = _rising(rest) or _counting(rest)
    known = sorted(numbers)
    first = known[0] if known else len(edges)
    printed, counted = _romans(rest, first, sorted(chaptered))
    labels = []
    for index in range(len(edges)):
        own = chaptered.get(index) or (printed.get(index, "") if index < first else "")
        number = "" if own else _number_at(index, numbers, known)
        labels.append(own or number or printed.get(index, "") or counted.get(index, ""))
    return labels


def _number_at(index: int, numbers: Mapping[int, int], known: Sequence[int]) -> str:
    """Return the number of a page, counted on from the page before or back from the first; '' if none is free.

    ``known`` are the pages that have numbers, in order.
    """
    if not known:
        return ""
    place = bisect_right(known, index)
    near = known[max(place - 1, 0)]
    number = numbers[near] + index - near
    after = numbers[known[place]] if 0 < place < len(known) else number + 1
    return str(number) if 0 < number < after else ""


def _rising(edges: Sequence[Sequence[str]]) -> dict[int, int]:
    """Return the numbers that stand alone or after 'page', by page, if they rise from page to page; else none.

    A page with several, as the chapter's and its own, has the one that most pages count on with.
    """
    found = {index: numbers for index, texts in enumerate(edges) if (numbers := _own_numbers(texts))}
    shifts = Counter(number - index for index, numbers in found.items() for number in numbers)
    chosen = {index: max(numbers, key=lambda each: (shifts[each - index], each)) for index, numbers in found.items()}
    shared = {index: number for index, number in chosen.items() if shifts[number - index] > 1}
    least = max(_LEAST_PAGES, MIN_SHARE * sum(1 for texts in edges if texts))
    for kept in (chosen, shared):
        if len(kept) >= max(least, MIN_SHARE * len(chosen)) and all(a < b for a, b in pairwise(kept.values())):
            return kept
    return {}


def _counting(edges: Sequence[Sequence[str]]) -> dict[int, int]:
    """Return the numbers that most numbered pages have at the same difference to their index, by page; else none.

    Pages without running lines have no say.
    """
    pages = sum(1 for texts in edges if texts)
    found = _without_common([_numbers(texts) for texts in edges], pages)
    shifts = Counter(number - index for index, numbers in enumerate(found) for number in numbers)
    if not shifts:
        return {}
    shift, support = shifts.most_common(1)[0]
    if support < 2 or support < MIN_SHARE * max(sum(1 for numbers in found if numbers), pages / 3):
        return {}
    return {index: index + shift for index, numbers in enumerate(found) if index + shift in numbers}


def _without_common(found: Sequence[set[int]], pages: int) -> list[set[int]]:
    """Return the numbers on each page without those that stand on half of the ``pages`` with running lines."""
    times = Counter(number for numbers in found for number in numbers)
    common = {number for number, count in times.items() if count >= max(_LEAST_PAGES, _COMMON * pages)}
    return [numbers - common for numbers in found]


def _chaptered(edges: Sequence[Sequence[str]]) -> dict[int, str]:
    """Return the labels of pages counted within chapters, if there are enough and most begin at 1 or count on."""
    found = {
        index: page
        for index, texts in enumerate(edges)
        if (page := next(filter(None, map(_chapter_page, texts)), None))
    }
    last: dict[str, int] = {}
    following = 0
    for page in found.values():
        following += last.get(page.chapter, 0) < page.number if page.chapter in last else page.number <= 1
        last[page.chapter] = page.number
    if len(set(found.values())) < _LEAST_PAGES or following < MIN_SHARE * len(found):
        return {}
    return {index: page.label for index, page in _without_gaps(found, edges).items()}


def _without_gaps(found: Mapping[int, _ChapterPage], edges: Sequence[Sequence[str]]) -> dict[int, _ChapterPage]:
    """Return the pages with those between two of a chapter that count on, and page 1 before page 2 if it is bare."""
    whole = dict(found)
    for before, after in pairwise(sorted(found)):
        one, other = found[before], found[after]
        if one.chapter == other.chapter and other.number - one.number == after - before:
            between = range(before + 1, after)
            whole |= {index: _ChapterPage(one.chapter, one.number + index - before) for index in between}
        elif one.chapter != other.chapter and other.number == 2 and after - before > 1 and _is_bare(edges[after - 1]):
            whole[after - 1] = _ChapterPage(other.chapter, 1)
    return whole


def _is_bare(texts: Sequence[str]) -> bool:
    """Return whether no number of a page stands in the running lines."""
    return not _own_numbers(texts) and not _roman_of(texts)


def _chapter_page(text: str) -> _ChapterPage | None:
    """Return the page of a chapter that a running line names: 'D-3', 'Page D-3', 'Appendix D  D-3'; else None."""
    for word, rest in _edge_words(text):
        found = _CHAPTERED.fullmatch(word)
        if found and (_is_apart(rest) or found[1] in rest.split()):
            return _ChapterPage(found[1], int(found[2]))
    return None


def _edge_words(text: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the last and the first word of a running line, each with the rest of the line."""
    text = text.strip(_SIGNS)
    before, _, last = text.rpartition(" ")
    first, _, after = text.partition(" ")
    return (last, before), (first, after)


def _is_apart(rest: str) -> bool:
    """Return whether the first or last word of a line stands alone, after 'page' or after a wide space."""
    return not rest or rest != rest.strip() or bool(_PAGE_WORD.search(rest))


def _roman_of(texts: Sequence[str]) -> str:
    """Return the Roman number that is one of the running lines of a page, in small letters; '' if there is none.

    Beside other words it counts only in small letters or after 'page': "Volume  I".
    """
    for text in texts:
        for word, rest in _edge_words(text):
            numeral = word.lower()
            plain = not rest or word.islower() or bool(_PAGE_WORD.search(rest))
            if plain and _is_apart(rest) and _ROMAN.fullmatch(word) and word.upper() == to_roman(from_roman(word)):
                return numeral
    return ""


def _romans(
    edges: Sequence[Sequence[str]], first: int, chaptered: Sequence[int]
) -> tuple[dict[int, str], dict[int, str]]:
    """Return the Roman numbers printed on pages, and those of pages between and before them, by page.

    Before ``first``, the first page with another number or the end, they have to rise; one capital may be a part's.
    They are counted on up to ``first`` or the next of the ``chaptered`` pages.
    """
    printed = {index: numeral for index, texts in enumerate(edges) if (numeral := _roman_of(texts))}
    front = {index: from_roman(numeral) for index, numeral in printed.items() if index < first}
    later = {index: numeral for index, numeral in printed.items() if index not in front}
    small = any(text.strip(_SIGNS).islower() for index in front for text in edges[index] if _roman_of([text]))
    sure = len(front) > 1 or small
    if not sure or not all(a < b for a, b in pairwise(front.values())):
        return later, {}
    shifts = {number - index for index, number in front.items()}
    counted = {}
    if len(front) > 1 and len(shifts) == 1:
        shift = shifts.pop()
        others = [index for index in (*chaptered, first) if max(front) < index < len(edges)]
        last = min(others, default=max(front) + 1)
        counted = {index: to_roman(index + shift).lower() for index in range(max(0, 1 - shift), last)}
    return printed, counted


def _pages_printed(labels: Sequence[str], edges: Sequence[Sequence[str]]) -> int:
    """Return the number of pages whose label stands in their running lines."""
    return sum(bool(label) and label.lower() in _marks(texts) for label, texts in zip(labels, edges, strict=True))


def _marks(texts: Sequence[str]) -> set[str]:
    chaptered = {page.label.lower() for page in map(_chapter_page, texts) if page}
    return {str(number) for number in _numbers(texts)} | chaptered | {_roman_of(texts)}


def _own_numbers(texts: Sequence[str]) -> set[int]:
    return _found(texts, _NAMED) or _found(texts, _LONE)


def _numbers(texts: Sequence[str]) -> set[int]:
    return _found(texts, _NAMED) | _found(texts, _LONE) | _found(texts, _EDGE)


def _found(texts: Sequence[str], pattern: re.Pattern[str]) -> set[int]:
    return {int(group) for text in texts for match in pattern.finditer(text) for group in match.groups() if group}

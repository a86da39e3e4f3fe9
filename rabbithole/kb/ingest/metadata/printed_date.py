"""Finds the date printed on a document: title page, imprint, running lines, outer pages; not PDF properties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .front_matter import FrontMatter

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner",
            "february feb februar",
            "march mar märz mrz",
            "april apr",
            "may mai",
            "june jun juni",
            "july jul juli",
            "august aug",
            "september sep sept",
            "october oct oktober okt",
            "november nov",
            "december dec dezember dez",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:19[4-9]\d|20[0-4]\d)"
# A day is a number of its own: the figures before a month in "IPv6 August 1996" or "1234-1721 May 2014" are none.
_DATE = (
    rf"(?:(?<![\w/-])(?P<d1>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?P<m1>{_MONTH})\.?,?\s+(?P<y1>{_YEAR})"
    rf"|(?P<m2>{_MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:\s*[–-]\s*\d{{1,2}})?,?\s+(?P<y2>{_YEAR})"
    rf"|(?P<m3>{_MONTH})(?:\.?,?\s+|-)(?P<y3>{_YEAR})"
    rf"|(?P<y4>{_YEAR})-(?P<m4>\d\d)(?:-(?P<d4>\d\d))?"
    rf"|(?P<d5>\d{{1,2}})\.\s?(?P<m5>\d{{1,2}})\.\s?(?P<y5>{_YEAR})"
    rf"|(?P<m6>\d{{1,2}})/(?P<d6>\d{{1,2}})/(?P<y6>{_YEAR})"
    rf"|(?P<m7>0[1-9]|1[0-2])[/.](?P<y7>{_YEAR}))(?![\d/-])"
)
_ANY = re.compile(_DATE, re.I)
_ALONE = re.compile(
    rf"\W*(?:(?:vom|stand|date|datum|dated|as of|issued|published|effective|released?|revised|version|ausgabe|"
    rf"fassung|ausfertigungsdatum|edition|last updated|updated|publikationsdatum|erscheinungsdatum|publication date|"
    rf"veröffentlicht)\b[\s:]*(?:on|vom|am|of)?\s*)?{_DATE}\W*",
    re.I,
)
_GAP = re.compile(r"\s{4,}")
"""Between the columns of a line: "BCP: 9          October 1996" names no day."""
_ONE_YEAR = re.compile(_YEAR)
_IS_COPYRIGHT = "copyright"
_YEAR_ALONE = re.compile(rf"\W*({_YEAR})\W*")
_SAID = re.compile(
    r"\b(?:publikationsdatum|erscheinungsdatum|veröffentlicht|"
    r"vom|vom:|stand|published|publication date|date of (?:issue|publication)|issued|effective(?: date)?|"
    r"ausfertigungsdatum|ausgegeben|bekanntgabe|verkündet|beschlossen|"
    r"in kraft|approved|adopted|revised|last updated|release date|dated|version|fassung|originally published|"
    r"appeared|to appear|appears)\b",
    re.I,
)
_COPYRIGHT = re.compile(
    rf"(?:©|\(c\)|c⃝|copyright)[^\n]{{0,30}}?({_YEAR}(?:\s?(?:[-–—,/]|and|und|bis)\s?{_YEAR})*)", re.I
)
_VENUE = re.compile(
    rf"(?:\b(?:proc(?:eedings|\.)|conference|symposium|workshop|to appear in|appeared in|appear in|presented at|"
    rf"published in)\b[^\n]{{0,60}}?\b({_YEAR})\b"
    rf"|\b[A-Z]{{3,9}}\s?['’‘](\d\d)\b"
    rf"|\b\d{{1,4}}\s*\(({_YEAR})\)\s*\d{{1,5}}\s*[-–]\s*\d{{1,5}}\b"  # 137 (2015) 104–110
    rf"|\b({_YEAR});\s*\d{{1,4}}\s*(?:\(\d{{1,3}}\))?:\s*\d{{1,5}}\s*[-–]\s*\d{{1,5}}\b"  # 2009; 39 (3): 361-365
    rf"|\b(?:vol\.|volume|jahrgang)\s*\d+[^\n]{{0,30}}?\(?\b({_YEAR})\b)",
    re.I,
)
_PLACE_YEAR = re.compile(rf"^[A-Z][\w .-]+(?:, [A-Z][\w .-]+){{0,3}},? (?P<year>{_YEAR})\.?$")
_HANDLED = re.compile(r"\b(?:received|accepted|eingegangen|angenommen)\b", re.I)
"""Words beside the dates on which a journal got or took a paper, which are not the dates of its issue."""
_HANDED_IN = re.compile(r"\b(?:submitted|eingereicht)\b", re.I)
"""Words beside a date that is a thesis's own, but not a paper's: it counts only if there is no other."""
_LAST_RESORT = 1.2
_POSSIBLE = re.compile(rf"{_YEAR}|['’‘]\d\d")
_EVENT = re.compile(
    rf"(?:{_MONTH})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\s*[-–]+\s*(?:(?:{_MONTH})\.?\s+)?\d{{1,2}}(?:st|nd|rd|"
    rf"th)?,?\s+({_YEAR})",
    re.I,
)
_FIRST = re.compile(r"\b(?:originally|appeared|to appear|first published|zuerst)\b", re.I)
_SENTENCE_AHEAD = 45
_LATER = 0.5
"""Weight from the third page on: a date in the text there usually belongs to its subject."""
_LEAST = 1.0
"""Minimum weight of a date; below it, the date belongs to the text's subject rather than the document."""


class Dated(NamedTuple):
    """A date on a page: ISO as far as it is printed ('2012-09'), its source, and its weight."""

    date: str
    source: str
    weight: float
    first: bool = False
    """Whether the words state a first publication; a later edition may bear a later date."""


def is_date(text: str) -> bool:
    """Return whether a line is a date and nothing else."""
    return _ALONE.fullmatch(text) is not None or _YEAR_ALONE.fullmatch(text) is not None


def date_in(text: str) -> str:
    """Return the first date in a text, ISO as far as it is printed; '' if it has none."""
    found = _ANY.search(text)
    return _iso(found) if found else ""


def printed_date(front: FrontMatter) -> Dated | None:
    """Return the date with the most weight, the earliest of first publication dates, or None if there is none."""
    found = [each for each in _dates(front) if each.weight >= _LEAST]
    if not found:
        return None
    if first := [each for each in found if each.first]:
        return min(first, key=lambda each: each.date[:4])
    totals: dict[str, float] = {}
    for each in found:
        totals[each.date[:4]] = totals.get(each.date[:4], 0.0) + (
            each.weight if each.date[:4] not in totals else 0.3 * each.weight
        )
    best = max(found, key=lambda each: (totals[each.date[:4]], len(each.date), each.weight))
    if best.source.endswith(_IS_COPYRIGHT):  # each author states the years of his part: the last one made the edition
        same = [each for each in found if each.source == best.source]
        best = max(same, key=lambda each: each.date[:4])
    longest = max(
        (each for each in found if each.date.startswith(best.date)), key=lambda each: (each.weight, len(each.date))
    )
    return best if best.weight >= longest.weight else longest


def _dates(front: FrontMatter) -> Iterator[Dated]:
    for number, page in enumerate(front.pages):
        height = front.heights[number] if number < len(front.heights) else 842.0
        near = 1.0 if number == 0 else 0.75 if number == 1 else 0.5
        for before, line in zip((None, *page), page, strict=False):
            edge = line.y0 > 0.9 * height or line.y1 < 0.08 * height
            if before is not None and _is_handled(before.text, line.text):
                continue
            yield from _in_line(
                line.text,
                "title page" if number == 0 else f"page {number + 1}",
                near,
                line.size / front.body_size,
                edge=edge,
            )
    for text, pages in front.headers.items():
        if pages >= 2:
            for each in _in_line(text, "running header", 0.9, 1.0, edge=True):
                yield each._replace(weight=each.weight if not re.search(r"\d/\d", text) else 0.5)
    for line in front.last_page:
        if _SAID.search(line.text) or _COPYRIGHT.search(line.text):  # other lines there belong to the bibliography
            yield from _in_line(line.text, "last page", 0.4, 1.0, edge=False)


def _in_line(text: str, source: str, near: float, ratio: float, *, edge: bool) -> Iterator[Dated]:
    """Yield the dates of one line, weighted by the words around them."""
    if _POSSIBLE.search(text) is None:
        return
    text = " ".join(_GAP.sub(" | ", text).split())
    if whole := _ALONE.fullmatch(text):
        numeric = re.fullmatch(r"[\d/.\s-]+", text) is not None
        data = numeric and (edge or near <= _LATER)  # a date from a table or a program's output
        yield Dated(_iso(whole), source, near * (1.0 if data else 5.0 + min(ratio, 2.0)))
        return
    first = _FIRST.search(text) is not None
    if event := _EVENT.search(text):
        yield Dated(event[1], f"{source}, event", 4.0 * near)
        return
    if copyright_ := _COPYRIGHT.search(text):
        yield Dated(max(_ONE_YEAR.findall(copyright_[1])), f"{source}, {_IS_COPYRIGHT}", 3.0 * near)
        return
    if (near == 1.0 or edge) and (venue := _VENUE.search(text)):
        year = next((each for each in venue.groups() if each and len(each) == 4), "")
        year = year or ("19" if int(venue[2]) > 40 else "20") + venue[2]
        yield Dated(year, f"{source}, venue", 3.2 * near, first)
    if _HANDLED.search(text):
        return
    handed_in = _HANDED_IN.search(text) is not None
    for found in _ANY.finditer(text):
        said = _SAID.search(text[max(0, found.start() - _SENTENCE_AHEAD) : found.start()])
        short = len(text) <= 70
        if handed_in:
            yield Dated(_iso(found), source, near * (_LAST_RESORT if short else 0.6))
        elif said:
            yield Dated(_iso(found), source, near * (5.0 if short else 2.5))
        elif short and near > _LATER and (edge or len(text) - len(found[0]) < 48):
            yield Dated(_iso(found), source, near * (2.6 if not edge else 3.0))
        else:
            yield Dated(_iso(found), source, 0.6 * near)
    if (place := _PLACE_YEAR.match(text)) and len(text) < 70:
        yield Dated(place["year"], source, 3.0 * near)
    elif year := _YEAR_ALONE.fullmatch(text):
        yield Dated(year[1], source, 1.5 * near if ratio > 1 else 0.4 * near)


def _is_handled(before: str, text: str) -> bool:
    """Return whether a line is only the date to the words at the end of the line before: 'Received in revised form'."""
    return _ALONE.fullmatch(text) is not None and _HANDLED.search(before) is not None and not _ANY.search(before)


def _iso(found: re.Match[str]) -> str:
    groups = found.groupdict()
    for index in "1234567":
        if year := groups.get(f"y{index}"):
            month = groups.get(f"m{index}") or ""
            number = _MONTHS.get(month.casefold()) or (int(month) if month.isdigit() else 0)
            day = groups.get(f"d{index}")
            if not 1 <= number <= 12:
                return year
            return f"{year}-{number:02d}" + (f"-{int(day):02d}" if day and 1 <= int(day) <= 31 else "")
    return ""

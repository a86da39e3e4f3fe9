"""Reads designations of documents in names and texts, by the spellings and numbers of a set of series."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.kb.notation.roman import from_roman

from .designation import Designation

LONGEST = 300
"""Maximum number of characters of a name that is read as a designation; no designation is longer."""
_DIGIT, _LETTERS = re.compile(r"\d"), re.compile(r"[^\W\d_]+")
_GAP = r"[\s\u00a0._-]{0,3}"
_COUNT = r"(?:(?:Publication|Publ\.?|Pub\.?|PUB|Number|No\.?|Nr\.?|Std\.?|Standard|Instruction|Policy)[\s.]*)?"
_PART = (
    r"(?:[\s,_-]*(?:(?P<volume>Volume|Vol\.?|Band)|(?P<called>Part|Pt\.?|Teil|Blatt))(?:[\s._-]*(?=\d)|[\s._-]+)(?P<part>\d{1,3}|"
    r"[IVX]{1,4}(?![A-Za-z]))"
    r"|(?P<short>pt|p|v)(?P<compact>\d{1,2})(?=r\d|rev|[^A-Za-z0-9]|$))?"
)
_YEAR = r"(?:19|20)\d\d"
_EDITION = (
    r"(?:[\s,:_(\[-]*(?:(?:Rev(?:ision|\.)?|(?<![A-Za-z])[rR])[\s._-]?(?P<revision>\d{1,2}[A-Za-z]?)(?!\w)\)?"
    r"|(?P<version>(?:Version|Vers\.|[vV])[\s._-]?\d{1,3}(?:\.\d{1,3}){0,3})(?![\w.]*\w)"
    r"|(?:Edition|Ed\.|Ausgabe)[\s._-]?(?P<issue>\d{1,2})(?![\w/-])"
    r"|(?P<nth>\d{1,2})(?:st|nd|rd|th)\s+(?:Edition|Ed\.)))?"
)
_DATE = (
    rf"(?:\s*[:_]\s*(?P<date>{_YEAR}(?:-\d\d(?:-\d\d)?)?)(?![\d-])"
    rf"|\s*\(\s*(?:Fassung\s*|Ausgabe\s*)?(?P<bracketed>{_YEAR}(?:-\d\d)?)\s*\)"
    rf"|\s*\(?(?P<month>0[1-9]|1[0-2])[/.](?P<year>{_YEAR})\)?(?!\d))?"
)
_AMENDMENT = (
    r"(?:\s*[/+,]?\s*(?P<amendment>(?:Amd\.?|Amendment|Cor\.?|Corrigendum|A(?=\d)|"
    r"AC(?=:))\s*\d{0,2}(?::(?:19|20)\d\d)?))?"
)


class Series(Model):
    """A series: its canonical name, its other spellings, and a pattern of its numbers."""

    series: str
    issuer: str = ""
    spellings: tuple[str, ...]
    number: str
    style: tuple[str, ...] = ()
    alone: str = Field(default="", description="numbers that name their series by themselves: '800-37'")

    @property
    def spelled(self) -> tuple[str, ...]:
        """All spellings; those that begin with the issuer also with it in parentheses: '(OMB) Circular'."""
        lead = f"{self.issuer} "
        introduced = [f"({self.issuer}) {each[len(lead) :]}" for each in self.spellings if each.startswith(lead)]
        return (*self.spellings, *(introduced if self.issuer else ()))


class _Reader:
    """Reads the designations of one series. Its pattern takes 5 ms to compile, so it is compiled at its first use."""

    def __init__(self, row: Series) -> None:
        self.row = row

    @cached_property
    def leads(self) -> tuple[str, ...]:
        """The first letters of each spelling, in small letters. A text without any of them does not name the series."""
        found = (_LETTERS.search(each.casefold()) for each in self.row.spelled)
        return tuple({each[0] for each in found if each})

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        row = self.row
        spelled = "|".join(_spelling(each) for each in sorted(row.spelled, key=len, reverse=True))
        tail = ""
        if "dash-edition" in row.style:
            tail = r"(?:-(?P<dashed>\d{1,2})(?!\d|\.\d))?"
        elif "dash-part" in row.style:
            tail = r"(?:-(?P<dashed>\d{1,3}(?:-\d{1,3})?)(?![\d]))?"
        elif "dash-year" in row.style:
            tail = rf"(?:-(?P<dashed>{_YEAR}|\d\d)(?!\d))?"
        elif "dot-part" in row.style:
            tail = r"(?:\.(?P<dashed>\d{1,2})(?!\d))?"
        number = rf"(?P<number>{row.number}){tail}"
        lead = rf"(?P<spelled>{spelled}){_GAP}{_COUNT}{_GAP}"
        if row.alone:
            lead = f"(?:{lead}|(?={row.alone}))"
        return re.compile(rf"(?<![A-Za-z0-9/]){lead}{number}{_PART}{_EDITION}{_DATE}{_AMENDMENT}(?![A-Za-z0-9])", re.I)

    def read(self, found: re.Match[str]) -> Designation:
        groups = found.groupdict()
        dashed = groups.get("dashed") or ""
        part, mark, edition = "", "Part", ""
        if dashed and "dash-edition" in self.row.style:
            edition = f"rev {int(dashed)}"
        elif dashed and "dash-year" in self.row.style:
            edition = dashed if len(dashed) == 4 else ("19" if int(dashed) > 50 else "20") + dashed
        elif dashed:
            part, mark = dashed, "." if "dot-part" in self.row.style else "-"
        if written := groups.get("part") or groups.get("compact"):
            part = _arabic(written)
            if mark == "Part":
                called = (groups.get("called") or "Part").capitalize()
                volume = groups.get("volume") or groups.get("short") in ("v", "V")
                mark = "Volume" if volume else called if called in ("Teil", "Blatt") else "Part"
        if revision := groups.get("revision"):
            edition = f"rev {revision.lstrip('0') or '0'}".lower()
        elif version := groups.get("version"):
            edition = "v " + re.sub(r"^[^\d]+", "", version)
        elif issue := groups.get("issue") or groups.get("nth"):
            edition = f"ed {int(issue)}"
        if date := groups.get("date") or groups.get("bracketed"):
            edition = date
        elif groups.get("month"):
            edition = f"{groups['year']}-{groups['month']}"
        number = " ".join(groups["number"].split())
        return Designation(
            issuer=self.row.issuer,
            series=self.row.series,
            number=number.upper() if number[:1].isdigit() else number,
            part=part,
            mark=mark,
            written=written.upper() if written and not written.isdigit() else "",
            edition=edition,
            dashed=bool(dashed) and "dash-edition" in self.row.style and not groups.get("revision"),
            amendment=" ".join((groups.get("amendment") or "").split()),
        )


class Designations:
    """Reads designations of a set of series in names and texts."""

    def __init__(self, rows: Iterable[Series] = ()) -> None:
        self.readers = tuple(_Reader(row) for row in rows)
        self.leads = frozenset(lead for reader in self.readers for lead in reader.leads)

    def read(self, name: str) -> Designation | None:
        """Return the designation that a whole name is, or None: 'SP 800-124 (rev 1)', '[SP800-37]', '800-37r1'."""
        text = _folded(name)
        if len(text) > LONGEST or not any(map(str.isdigit, text)):
            return None
        first = _first_letters(text, 0)
        for reader in self.readers:
            if (reader.row.alone or first.startswith(reader.leads)) and (found := reader.pattern.fullmatch(text)):
                return reader.read(found)
        return None

    def at(self, text: str, start: int) -> Iterator[tuple[int, Designation]]:
        """Yield (end offset, designation) of each series with a designation that begins exactly at ``start``."""
        first = _first_letters(text, start)
        for reader in self.readers:
            found = reader.pattern.match(text, start) if first.startswith(reader.leads) else None
            if found and found.groupdict().get("spelled"):
                yield found.end(), reader.read(found)

    def alone(self, text: str, start: int, series: str) -> tuple[int, Designation] | None:
        """Return (end, designation) of a bare number of ``series`` at ``start``, or None: '800-53 and 800-53A'."""
        reader = next((each for each in self.readers if each.row.series == series and each.row.alone), None)
        found = reader.pattern.match(text, start) if reader else None
        return (found.end(), reader.read(found)) if reader and found else None

    def within(self, text: str) -> Iterator[tuple[int, Designation]]:
        """Yield (offset, designation) of those in a text, in order. Where two overlap, the series listed first wins."""
        if _DIGIT.search(text) is None:
            return
        taken: list[tuple[int, int, Designation]] = []
        folded = text.casefold()
        present = {lead for lead in self.leads if lead in folded}
        for reader in self.readers:
            if present.isdisjoint(reader.leads):
                continue  # most texts name no series, and searching a page with a hundred patterns is slow
            for found in reader.pattern.finditer(text):
                if found.groupdict().get("spelled") is None:
                    continue  # in running text, a bare number does not name a series
                if all(found.end() <= start or found.start() >= end for start, end, _ in taken):
                    taken.append((found.start(), found.end(), reader.read(found)))
        for start, _, designation in sorted(taken, key=lambda each: each[0]):
            yield start, designation


def _spelling(words: str) -> str:
    """Return a pattern of a spelling with any separator: 'NIST SP' also matches 'NIST.SP', 'NIST-SP', 'NISTSP'."""
    parts = re.split(r"[ -]", words)
    return _GAP.join(re.escape(part) for part in parts if part)


def _first_letters(text: str, start: int) -> str:
    """Return the first run of letters from ``start`` on, in small letters, or ''."""
    found = _LETTERS.search(text, start, start + LONGEST)
    return found[0].casefold() if found else ""


def _folded(name: str) -> str:
    text = " ".join(name.replace("\u2010", "-").replace("\u2011", "-").replace("\u2013", "-").split())
    text = text.strip("[]\"'„“”.,;: ")
    return text[1:-1].strip() if text.startswith("(") and text.endswith(")") else text


def _arabic(number: str) -> str:
    """Return a number in Arabic digits without leading zeros: 'II' -> '2', '03' -> '3'."""
    return str(int(number) if number.isdigit() else from_roman(number))

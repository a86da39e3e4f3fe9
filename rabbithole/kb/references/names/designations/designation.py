"""The designation of a document: issuer, series, number, part, edition and amendment, in one normal form.

"NIST SP 800-37", "Special Publication 800-37, Revision 1", "800-37r1" and "[SP800-37]" have the same key. Digits must
be equal: 800-53A is not 800-53.
"""

from __future__ import annotations

import re

from pydantic import Field

from rabbithole.kb.models import Model


class Designation(Model):
    """A parsed designation. ``edition`` is a revision ("rev 1"), a version ("v 2"), an edition ("ed 3") or a date."""

    issuer: str = ""
    series: str
    number: str
    part: str = ""
    edition: str = ""
    amendment: str = ""
    mark: str = Field(default="Part", description="how the part is called: Part, Volume, '-', '.'")
    written: str = Field(default="", description="the part as printed, where that is a Roman numeral")
    dashed: bool = Field(default=False, description="the revision is written behind a hyphen: 'FIPS 140-2'")

    @property
    def key(self) -> str:
        """The series and number in comparable form, without part and edition."""
        return f"{_plain(self.series)} {_number_key(self.number)}"

    @property
    def name(self) -> str:
        """The designation as people write it, without the edition: 'NIST SP 800-57 Part 1'."""
        joint = " " if self.series else ""
        if self.series in ("IAEA-TECDOC", "MIL-STD", "MIL-HDBK", "OMB M", "NUREG/CR", "NUREG", "ECMA"):
            joint = "-"
        whole = f"{self.series}{joint}{self.number}"
        if self.part:
            joined = self.mark in ("-", ".")
            whole += f"{self.mark}{self.part}" if joined else f" {self.mark} {self.written or self.part}"
        return whole

    @property
    def full(self) -> str:
        """The name with its edition: 'NIST SP 800-57 Part 1 Rev. 4', 'ISO/IEC 27005:2011', 'ETSI EN 319 401 V2.3.1'."""
        joint = "" if not self.edition else "-" if self.dashed else " " if self.edition != self.printed_edition else ":"
        return f"{self.name}{joint}{self.printed_edition}" + (f" {self.amendment}" if self.amendment else "")

    @property
    def printed_edition(self) -> str:
        """The edition as people write it: 'Rev. 4', 'V2.3.1', '2013-04'."""
        kind, _, value = self.edition.partition(" ")
        spelled = {"rev": "" if self.dashed else "Rev. ", "v": "V", "ed": "Edition "}.get(kind)
        return self.edition if spelled is None else f"{spelled}{value}"


def editions_in_order(first: str, second: str) -> int:
    """Return -1, 0 or 1 if an edition is earlier than, the same as, or later than another; 0 if that is unknown."""
    one, other = _edition_order(first), _edition_order(second)
    if one is None or other is None or one[0] != other[0]:
        return 0
    return (one[1] > other[1]) - (one[1] < other[1])


def _edition_order(edition: str) -> tuple[str, tuple[int, ...]] | None:
    kind, _, value = edition.partition(" ")
    if not value:
        kind, value = "date", kind
    numbers = tuple(int(each) for each in re.findall(r"\d+", value))
    return ("number" if kind in ("rev", "v", "ed") else "date", numbers) if numbers else None


def _plain(text: str) -> str:
    return re.sub(r"[^0-9a-zäöüß]", "", text.casefold())


def _number_key(number: str) -> str:
    return re.sub(r"(?<![\d.])0+(?=\d)", "", re.sub(r"[\s]+", " ", number.casefold()))

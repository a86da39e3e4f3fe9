"""The result of a comparison of two editions."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model

Change = Literal["same", "changed", "moved", "moved and changed", "added", "removed"]
WordChange = Literal["same", "added", "removed"]


class Words(Model):
    """A run of words that is in both editions, or in only one."""

    change: WordChange
    text: str


class Side(Model):
    """A section in one edition. ``label``: number and heading; ``page``: index from 0, of a page or a paragraph."""

    section: str
    number: str = ""
    label: str = ""
    page: int
    page_label: str = ""


class SectionChange(Model):
    """One section in both editions. ``words``: its own text, without its subsections, in reading order."""

    change: Change
    old: Side | None = None
    new: Side | None = None
    words: tuple[Words, ...] = ()

    @property
    def label(self) -> str:
        side = self.new or self.old
        return side.label if side else ""


class Comparison(Model):
    """A comparison; ``sections`` are in the order of the new edition, removed ones after the section they followed."""

    old_file: str
    old_title: str
    new_file: str
    new_title: str
    notes: tuple[str, ...] = Field(default=(), description="what to know: which editions were taken, and why")
    sections: tuple[SectionChange, ...] = ()

    @property
    def counts(self) -> dict[Change, int]:
        """The number of sections of each kind of change, most frequent first."""
        return dict(Counter(each.change for each in self.sections).most_common())

    @property
    def differing(self) -> tuple[SectionChange, ...]:
        return tuple(each for each in self.sections if each.change != "same")

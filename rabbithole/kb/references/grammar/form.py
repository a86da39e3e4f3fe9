"""What a form of reference is: literal triggers that make a place worth looking at, and a parser anchored there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rabbithole.kb.models import PathElement, ReferenceKind

from .units import Units

Path = tuple[PathElement, ...]

# Bounded white space: a parser may cross a line break, never a megabyte of blanks.
WS = r"[\s\u200b\u200e\u200f]{0,4}"
WS1 = r"[\s\u200b\u200e\u200f]{1,4}"


@dataclass(frozen=True, slots=True)
class NameHit:
    """A registered or well-known document name standing in the text."""

    start: int
    end: int
    canonical: str
    law: bool


@dataclass(frozen=True, slots=True)
class Found:
    """One target of one mention; several share a span when the text lists them."""

    start: int
    end: int
    kind: ReferenceKind
    target: str
    document: str | None = None
    path: Path = ()
    following: bool = False
    relative: bool = False
    edition: str | None = None


@dataclass(slots=True)
class Scan:
    """The text under examination. Nothing before ``floor`` may be claimed: it belongs to an earlier mention."""

    text: str
    names: Mapping[int, NameHit] = field(default_factory=dict)
    german: bool = True
    floor: int = 0
    name_ends: Mapping[int, NameHit] = field(default_factory=dict)
    round_brackets: bool | None = None
    """Whether the text cites by numbers in round brackets; None until a form asked."""
    units: Units = field(default_factory=Units)
    """Words that stand before numbers of sections in this text."""

    def __post_init__(self) -> None:
        self.name_ends = {hit.end: hit for hit in self.names.values()}


Parser = Callable[[Scan, int], list[Found]]


@dataclass(frozen=True, slots=True)
class Form:
    """``parse(scan, at)`` is called where one of ``triggers`` stands; an empty list means: not this form.

    A trigger that begins with a letter counts only at the beginning of a word, unless ``inside_word``.
    """

    name: str
    triggers: tuple[str, ...]
    parse: Parser
    inside_word: bool = False


def spell(path: Path, document: str | None = None) -> str:
    """The target as people write it: '§ 78 Abs 1 Satz 1 StrlSchG', '10 CFR 20.1201(a)(1)'."""
    words: list[str] = []
    code = bool(document and document.endswith((" CFR", " U.S.C.")))
    for index, (unit, value) in enumerate(path):
        if unit == "paragraph" and index and not value[0].isspace():
            words[-1] += f"({value})"
        elif unit == "paragraph" and not value[0].isdigit():
            words.append(f"paragraph ({value})")
        elif unit == "ref" or (code and unit == "section"):
            words.append(value)
        else:
            words.append(f"{unit} {value}")
    if code and document:
        return " ".join([document, *words])
    return " ".join([*words, document] if document else words)


LONGEST_COMPOUND = 60
"""Characters that the part of a compound before its last noun may have."""


def compound_start(scan: Scan, at: int) -> int:
    """Where the compound that ends in the noun at ``at`` begins."""
    start = at
    while start > scan.floor and at - start < LONGEST_COMPOUND:
        if not (scan.text[start - 1].isalpha() or scan.text[start - 1] == "-"):
            break
        start -= 1
    return start

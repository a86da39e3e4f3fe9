"""Defines a form of reference: literal triggers, and a parser that is called where one of them stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rabbithole.kb.models import PathElement, ReferenceKind
from rabbithole.kb.references.names.name_index import NameHit

from .units import Units

Path = tuple[PathElement, ...]

# Bounded white space: a parser may cross a line break, but not a long run of blanks.
WS = r"[\s\u200b\u200e\u200f]{0,4}"
WS1 = r"[\s\u200b\u200e\u200f]{1,4}"


@dataclass(frozen=True, slots=True)
class FormMatch:
    """One target of one mention; several share a span if the text lists them."""

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
    """The text being scanned. Parsers must not go back before ``floor``, which belongs to an earlier mention."""

    text: str
    names: Mapping[int, NameHit] = field(default_factory=dict)
    german: bool = True
    floor: int = 0
    name_ends: Mapping[int, NameHit] = field(default_factory=dict)
    round_brackets: bool | None = None
    """Whether the text cites by numbers in round brackets; None until a form needs it."""
    units: Units = field(default_factory=Units)
    """Words that stand before section numbers in this text."""

    def __post_init__(self) -> None:
        self.name_ends = {hit.end: hit for hit in self.names.values()}


Parser = Callable[[Scan, int], list[FormMatch]]


@dataclass(frozen=True, slots=True)
class Form:
    """A form of reference.

    ``parse(scan, at)`` is called wherever one of ``triggers`` stands; it returns [] if the text there does not have
    this form. A trigger that begins with a letter counts only at the beginning of a word, unless ``inside_word`` is
    set.
    """

    name: str
    triggers: tuple[str, ...]
    parse: Parser
    inside_word: bool = False


def spell(path: Path, document: str | None = None) -> str:
    """Return the target as people write it: '§ 78 Abs 1 Satz 1 StrlSchG', '10 CFR 20.1201(a)(1)'."""
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
"""Maximum number of characters of a compound before its last noun."""


def compound_start(scan: Scan, at: int) -> int:
    """Return where the compound that ends in the noun at ``at`` begins."""
    start = at
    while start > scan.floor and at - start < LONGEST_COMPOUND:
        if not (scan.text[start - 1].isalpha() or scan.text[start - 1] == "-"):
            break
        start -= 1
    return start

"""The path of a German citation: "Abs. 2 Satz 1 Nr. 3 Buchst. a", with lists, ranges and Roman paragraphs.

A small state machine reads tokens at the current position and keeps the path under construction. A value after a
separator is a sibling of the last one; a unit after a separator goes back up to its own level.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rabbithole.kb.notation.months import GERMAN_MONTH
from rabbithole.kb.notation.roman import from_roman
from rabbithole.kb.references.grammar.form import WS, WS1, Path
from rabbithole.kb.references.grammar.numbers import expand

MAX_TARGETS = 400
# "Kapitel 5.2 und Abschnitt 4.2.3" are two places, not one inside the other.
_STRUCTURE = frozenset({"Teil", "Kapitel", "Abschnitt", "Tabelle", "figure"})
MAX_DEPTH = 12

_UNITS = (
    ("Abs", r"Abs(?:atz(?:es)?|ätzen?|\.)?"),
    ("Satz", r"Satz(?:es)?|Sätzen?|S\.?"),
    ("Nr", r"Nummern?|Nrn?\.?|Ziff(?:ern?|\.)?|Nos?\."),
    ("DBuchst", r"Doppelbuchst(?:aben?|\.)?|DBuchst\.?"),
    ("Buchst", r"Buchst(?:abens?|aben?|\.)?|lit\.?|Bst\.?"),
    ("Tabelle", r"Tabellen?|Tab\."),
    ("Spalte", r"Spalten?|Sp\."),
    ("Teil", r"Teil(?:e|s|en)?"),
    ("Kapitel", r"Kapiteln?|Kap\."),
    ("Abschnitt", r"Abschnitt(?:e|s|en)?|Abschn\."),
    ("figure", r"Abbildung(?:en)?|Abb\.|Bild(?:er)?"),
    ("Anlage", r"Anlagen?|Anl\."),
    ("Anhang", r"Anh(?:angs?|änge|ängen|\.)"),
)
RANK = {
    "§": 0,
    "Art": 0,
    "Anlage": 0,
    "Anhang": 0,
    "Teil": 1,
    "Kapitel": 2,
    "Abschnitt": 3,
    "Tabelle": 4,
    "figure": 4,
    "Spalte": 5,
}
RANK |= {"Abs": 6, "Satz": 7, "Nr": 8, "Buchst": 9, "DBuchst": 10}

UNIT = re.compile(WS + "(?:" + "|".join(f"(?P<{name}>{form})" for name, form in _UNITS) + r")(?![^\W\d])")
# Parts of a sentence that are part of the span but not of the path.
_PART = (
    r"(?:Unterabs(?:atz(?:es)?|ätzen?|\.)?|UAbs\.?|Halbsatz(?:es)?|Halbs\.?|H[Ss]\.?|Alternativen?|Alt\.?|Varianten?"
    r"|Var\.?"
    r"|Spiegelstrich(?:e|s)?|Satzteil|Teilsatz|Unternummer|Unterbuchstabe|Fall)"
)
_ORDINAL = r"(?:[Ee]rste|[Zz]weite|[Dd]ritte|[Vv]ierte|[Ff]ünfte|[Ll]etzte)[rsnm]?|\d{1,2}\."
SKIP = re.compile(
    rf"{WS},?{WS}(?:(?:{_ORDINAL}){WS}{_PART}|{_PART}{WS}(?:\d{{1,2}}|[a-z])(?:{WS}(?:,|und"
    rf"|oder){WS}\d{{1,2}}(?![\d.]))?)(?!\w)"
)
_WITH = rf"(?:i\.?{WS}V\.?{WS}m\.?|in{WS1}Verbindung{WS1}mit|iVm\.?|i\.?{WS}V\.?{WS}mit)"
SEPARATOR = re.compile(
    rf"{WS}(?:(?P<range>bis(?:{WS1}einschließlich)?(?!\w)|[-–](?={WS}\d))"
    rf"|(?P<with>,?{WS}(?:jeweils{WS1})?(?:auch{WS1})?{_WITH})"
    rf"|,{WS}(?:und|oder|sowie|bzw\.|jeweils)(?!\w)|,|;|/|und/oder|und(?:{WS1}zwar)?|oder|sowie|bzw\.?|beziehungsweise"
    rf"|u\.|noch|einschließlich|sowohl|als{WS1}auch)(?![^\W\d])"
)
NUMBER = re.compile(
    rf"{WS}(\d{{1,6}}(?:\.\d{{1,3}}(?!\d)){{0,5}})(?:([a-z][a-f]?)(?!\w)|(?![\w]))(?!,\d\d?\b|/\d"
    rf"|[ \u00a0]\d{{3,4}}(?!\d)(?!\.))"
)
SPACED = re.compile(rf"{WS1}([a-z])(?={WS1}(?:Abs|S\.?\s|Satz|Nr|[A-ZÄÖÜ]{{2}}|[A-Z][a-z]*[A-Z]))")
PAREN = re.compile(rf"{WS}\(\s?(\d{{1,3}}[a-z]?|[a-z]{{1,2}})\s?\)")
ROMAN = re.compile(rf"{WS1}([IVX]{{1,6}})(?!\w)")
LETTER = re.compile(rf"{WS}((?P<letter>[a-z])(?P=letter){{0,2}})(?:\)|(?!\w))")
"""One letter, also doubled: "Buchstabe a", "Doppelbuchstabe aa"; "Buchstaben in" is a word of the sentence."""
CAPITAL = re.compile(rf"{WS}([A-Z](?:\.\d{{1,3}}){{0,4}}|[IVX]{{1,7}})(?!\w)")
FOLLOWING = re.compile(rf"{WS}(?:ff|f)(?:\.|(?!\w))")
# Text that shows that a bare number after a comma or "und" counts something else.
COUNTED = re.compile(
    rf"\.{WS}(?:\d{{1,2}}\.|{GERMAN_MONTH}|Aufl)"
    rf"|{WS}(?:%|€|Euro|Prozent|Jahre|Monate|Wochen|Tage|Stunden|Uhr|{GERMAN_MONTH})|,\d"
)


@dataclass(slots=True)
class Paths:
    """What was read: the targets in order, the end of the match, and whether the last one is open-ended."""

    items: list[Path]
    end: int
    following: bool = False


def _closes(text: str, match: re.Match[str]) -> bool:
    """Return whether the bracket after "a)" closes one opened before the citation."""
    low = max(0, match.start() - 200)
    opened, closed = text.rfind("(", low, match.start()), text.rfind(")", low, match.start())
    return match[0].endswith(")") and opened > closed


def _value(text: str, pos: int, unit: str) -> tuple[str, int] | None:
    """Return a value that fits the unit: numbers for all, letters for Buchstabe, capitals for Anlage."""
    if unit in ("Buchst", "DBuchst"):
        match = LETTER.match(text, pos)
        return (match[1], match.end() - _closes(text, match)) if match else None
    match = NUMBER.match(text, pos)
    if match:
        value, end = match[1] + (match[2] or ""), match.end()
        spaced = SPACED.match(text, end) if unit == "§" and not match[2] else None
        return (value + spaced[1], spaced.end()) if spaced else (value, end)
    if unit in ("Abs", "Satz", "Nr"):
        match = PAREN.match(text, pos)
        if match:
            return match[1], match.end()
    if unit in ("Anlage", "Anhang", "Teil", "Kapitel", "Abschnitt", "Art", "Tabelle", "Nr"):
        match = CAPITAL.match(text, pos)
        if match:
            return match[1], match.end()
    return None


def _climb(path: Path, unit: str) -> Path:
    """Return the part of the path above ``unit``, where it is a sibling or a higher level."""
    for index in range(len(path) - 1, -1, -1):
        if path[index][0] == unit:
            return path[:index]
    if path[0][0] in _STRUCTURE and unit in _STRUCTURE:
        return ()
    return tuple(element for element in path if RANK.get(element[0], 99) < RANK[unit])


def _next_section(text: str, end: int, path: Path, number: str, plural: bool) -> bool:
    """Return whether a bare number after a separator is a new section rather than a sibling of the last value."""
    if len(path) < 2:
        return False
    unit = UNIT.match(text, end)
    if unit and unit.lastgroup and RANK[unit.lastgroup] <= RANK[path[-1][0]]:
        return True
    if ROMAN.match(text, end) and path[-1][0] in ("Abs", "Satz"):
        return True
    digits, section = re.match(r"\d+", number), re.match(r"\d+", path[0][1])
    return bool(plural and digits and section and int(digits[0]) > int(section[0]))


def read_paths(text: str, pos: int, first: str | None, plural: bool = False, base: Path = ()) -> Paths | None:
    """Read the targets from ``pos`` on.

    ``first`` is the unit of the first value, None if the text names it. Returns None if there is no target.
    """
    path: Path = base
    items: list[Path] = []
    following = False
    end = pos
    if first is not None:
        value = _value(text, pos, first)
        if value is None:
            return None
        path, end = (*base, (first, value[0])), value[1]
        items.append(path)
    while len(items) < MAX_TARGETS and len(path) < MAX_DEPTH:
        skip = SKIP.match(text, end)
        if skip and items:
            end = skip.end()
            continue
        if items and (open_end := FOLLOWING.match(text, end)) and text[end - 1].isalnum():
            following, end = True, open_end.end()
            continue
        step = _descend(text, end, path)
        if step:
            path, end = step
            if items:
                items[-1] = path
            else:
                items.append(path)
            continue
        sibling = _separated(text, end, path, plural) if items else None
        if sibling is None:
            break
        new, end = sibling
        items.extend(new)
        path, following = new[-1], False
    return Paths(items, end, following) if items else None


def _descend(text: str, end: int, path: Path) -> tuple[Path, int] | None:
    """Read one level deeper without a separator: "Satz 1", "(1)", a Roman paragraph, a bare sentence number."""
    unit = UNIT.match(text, end)
    if unit and unit.lastgroup:
        value = _value(text, unit.end(), unit.lastgroup)
        return ((*path, (unit.lastgroup, value[0])), value[1]) if value else None
    if not path:
        return None
    last = path[-1][0]
    if last in ("§", "Art"):
        roman = ROMAN.match(text, end)
        if roman and from_roman(roman[1]) <= 30:
            return (*path, ("Abs", str(from_roman(roman[1])))), roman.end()
        paren = PAREN.match(text, end)
        if paren:
            return (*path, ("Abs" if paren[1][0].isdigit() else "Buchst", paren[1])), paren.end()
    if last == "Abs" and len(path) > 1:
        paren = PAREN.match(text, end)
        if paren and text[end - 1] == ")":
            return (*path, ("Nr" if paren[1][0].isdigit() else "Buchst", paren[1])), paren.end()
        number = NUMBER.match(text, end)
        if number and text[end - 1] in "IVX" and not COUNTED.match(text, number.end()):
            return (*path, ("Satz", number[1])), number.end()
    if last == "Nr" and path[-1][1][-1].isdigit():
        letter = re.compile(rf"{WS}([a-z])\)").match(text, end)
        if letter:
            return (*path, ("Buchst", letter[1])), letter.end()
    return None


def _separated(text: str, end: int, path: Path, plural: bool) -> tuple[list[Path], int] | None:
    """Read what follows a separator: the members up to a range's end, or one more sibling."""
    separator = SEPARATOR.match(text, end)
    if not separator:
        return None
    after = separator.end()
    unit = UNIT.match(text, after)
    if unit and unit.lastgroup:
        name = unit.lastgroup
        if name in ("Anlage", "Anhang") and path[0][0] not in ("Anlage", "Anhang"):
            return None
        value = _value(text, unit.end(), name)
        if value is None:
            return None
        stem, after = _climb(path, name), value[1]
        if not stem and name != path[0][0] and path[0][0] in _STRUCTURE:
            return None
        if separator["range"] and path[-1][0] == name:
            return [(*stem, (name, each)) for each in expand(path[-1][1], value[0])[1:]] or [path], after
        return [(*stem, (name, value[0]))], after
    if separator["with"]:
        return None
    name = path[-1][0]
    value = _value(text, after, name)
    if value is None and name in ("Buchst", "DBuchst"):
        return _numbered_elder(text, after, path)
    if value is None or COUNTED.match(text, value[1]) or _is_item(text, separator.end(), value[1]):
        value = None
    if value is None and name not in ("§", "Art") and plural:
        value = _value(text, after, "§")
        if value is None or not _next_section(text, value[1], path, value[0], plural):
            return None
        return [((path[0][0], value[0]),)], value[1]
    if value is None:
        return None
    if _next_section(text, value[1], path, value[0], plural):
        return [((path[0][0], value[0]),)], value[1]
    if separator["range"]:
        return [(*path[:-1], (name, each)) for each in expand(path[-1][1], value[0])[1:]] or [path], value[1]
    return [(*path[:-1], (name, value[0]))], value[1]


def _is_item(text: str, start: int, end: int) -> bool:
    """Return whether the number after a line break is the next item of a list: "Nummer 2 bis 6,\n2. die ..."."""
    return "\n" in text[start:end] and text[end : end + 1] in (".", ")")


def _numbered_elder(text: str, pos: int, path: Path) -> tuple[list[Path], int] | None:
    """Give a number after a list of letters to the nearest unit that takes numbers: "Art. 1 (c) und 3 (a)"."""
    while path and path[-1][0] in ("Buchst", "DBuchst"):
        path = path[:-1]
    value = _value(text, pos, path[-1][0]) if path else None
    if value is None or COUNTED.match(text, value[1]):
        return None
    return [(*path[:-1], (path[-1][0], value[0]))], value[1]

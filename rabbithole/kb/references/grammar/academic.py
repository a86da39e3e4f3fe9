"""Call-outs of papers by number or label: "[3, 5-7]", "[12, S. 4]", "[Townsend79]", superscripts."""

from __future__ import annotations

import re

from rabbithole.kb.references.grammar.exclusions import at_line_start

from .form import WS, Form, FormMatch, Scan, spell
from .numbers import expand
from .section_after import section_after

_DASH = "[-–—‐]"
_NUMBERED = re.compile(
    rf"\[{WS}(?P<list>\d{{1,4}}[a-z]?(?:{WS}(?:[,;]|{_DASH}|and|und){WS}\d{{1,4}}[a-z]?){{0,60}})"
    rf"(?P<place>{WS},{WS}(?:S\.|Seite|p\.|pp\.|Sec\.|Section|Sect\.|Kap\.|Kapitel|Abschn\.|Abschnitt|Ch\.|Chapter"
    rf"|Fig\.|Tab\.|Table|Theorem|Thm\.|§){WS}[^\[\]\n]{{1,40}})?{WS}\]"
)
_ITEM = re.compile(rf"(\d{{1,4}}[a-z]?)(?:{WS}{_DASH}{WS}(\d{{1,4}}[a-z]?))?")
_LABEL = re.compile(
    rf"\[{WS}(?P<label>[A-Za-z][\w.+-]{{1,40}}(?:{WS}[,;]{WS}[A-Za-z][\w.+-]{{1,40}}){{0,12}})(?P<place>{WS},{WS}(?:S\.|p\.|pp\.|Section|Sec\.|§)[^\[\]\n]{{1,40}})?{WS}\]"
)
_CODE = re.compile(r"[(*+{\\?=]| ?=(?!\w)")
"""What shows behind a bracket that it is code: "[1-9]*", "[3](", "[Q1, R1] = qr (A)"."""
_RANGE = re.compile(r"[A-Z]{1,2}-[A-Z]{1,2}")
"""A range of letters: '[A-Z]', '[AA-ZZ]'."""
_RFC = re.compile(r"RFC[-.]?(\d{1,5})\Z", re.IGNORECASE)
_NOT_A_LABEL = frozenset(
    "PDF HTML TODO NOTE SIC TBD XML URL ISBN ISSN DOI USA EU UK US II III IV VI VII VIII IX XI XII IP ID".split()
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUPER = re.compile(r"[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,3}(?:[,⁻⁾’˒][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}){0,30}")
_MARKED = re.compile(rf"(?:<sup>|\^\{{){WS}(\d{{1,3}}(?:{WS}(?:,|{_DASH}){WS}\d{{1,3}}){{0,30}}){WS}(?:</sup>|\}})")


def parse_bracket(scan: Scan, at: int) -> list[FormMatch]:
    """Read square brackets with numbers, a label or an RFC."""
    text = scan.text
    numbered = _NUMBERED.match(text, at)
    if numbered:
        return _numbers(text, at, numbered)
    labelled = _LABEL.match(text, at)
    if labelled:
        return _labels(text, at, labelled)
    return []


def _numbers(text: str, at: int, match: re.Match[str]) -> list[FormMatch]:
    if _is_entry(text, at, match.end()) or _CODE.match(text, match.end()):
        return []
    if re.search(r"(?<!\d)0", match["list"]):  # "[0, 1]" is an interval, "[0012]" a paragraph of a patent
        return []
    values: list[str] = []
    for item in _ITEM.finditer(match["list"]):
        values += expand(item[1], item[2]) if item[2] else [item[1]]
    numbers = [int(re.sub(r"\D", "", value)) for value in values]
    if not numbers or min(numbers) == 0 or max(numbers) > 1500:
        return []
    return [
        FormMatch(at, match.end(), "academic_numbered", f"[{value}]", None, (("ref", value),))
        for value in dict.fromkeys(values)
    ]


def _is_entry(text: str, at: int, end: int) -> bool:
    """Return whether "[12] Müller, A.: ..." opens a bibliography entry."""
    if not at_line_start(text, at):
        return False
    before = text[max(0, at - 60) : at].rstrip()
    opens = not before or before[-1] in ".]:/" or len(before) - before.rfind("\n") - 1 < 40
    return opens and bool(re.match(r"[ \t]{1,20}[^\W\d_a-zäöü]", text[end : end + 22]))


def _labels(text: str, at: int, match: re.Match[str]) -> list[FormMatch]:
    if _is_entry(text, at, match.end()) or text[at - 2 : at] == "| " or text[at - 1 : at].isalnum():
        return []
    if text.startswith(" = ", match.end()):
        return []
    found: list[FormMatch] = []
    for label in re.split(r"\s*[,;]\s*", match["label"]):
        rfc = _RFC.match(label)
        if rfc:
            name = f"RFC {int(rfc[1])}"
            path, end = section_after(text, match.end()) if "," not in match[0] else ((), match.end())
            found.append(FormMatch(at, end, "document_mention", spell(path, name) if path else name, label, path))
            continue
        capitals = sum(char.isupper() for char in label)
        digits = any(char.isdigit() for char in label)
        if (
            label.upper() in _NOT_A_LABEL
            or _RANGE.fullmatch(label)
            or _abbreviates(text, at, label)
            or not (capitals >= 2 or (capitals and digits))
            or label[0].islower()
        ):
            return []
        found.append(FormMatch(at, match.end(), "academic_shortform", f"[{label}]", None, (("ref", label),)))
    return found


def _abbreviates(text: str, at: int, label: str) -> bool:
    """Return whether the brackets contain the initials of the words before: "operating system [OS]"."""
    if not label.isalpha() or not label.isupper():
        return False
    words = re.findall(r"[^\W\d_]+", text[max(0, at - 80) : at])
    initials = "".join(word[0] for word in words if word not in ("and", "of", "the", "for", "und", "der", "für"))
    return initials.upper().endswith(label)


def parse_superscript(scan: Scan, at: int) -> list[FormMatch]:
    """Read superscripts marked in the text: Unicode digits, ``<sup>``, ``^{}``."""
    text = scan.text
    match = _MARKED.match(text, at)
    raw = match[1] if match else ""
    if not match:
        match = _SUPER.match(text, at)
        if (
            not match
            or not text[at - 1 : at]
            or not (text[at - 1].isalpha() or text[at - 1] in '.,;:!?)]”"»')
            or _is_unit(text, at)
        ):
            return []
        raw = match[0].translate(_SUPERSCRIPTS)
    values: list[str] = []
    for item in _ITEM.finditer(raw):
        values += expand(item[1], item[2]) if item[2] else [item[1]]
    return [
        FormMatch(at, match.end(), "academic_numbered", f"[{value}]", None, (("ref", value),))
        for value in dict.fromkeys(values)
    ]


def _is_unit(text: str, at: int) -> bool:
    """Return whether a raised digit is an exponent: "cm²", "R²", "10³"."""
    word = re.search(r"[^\W\d_]+\Z", text[max(0, at - 6) : at])
    return bool(word and len(word[0]) <= 3)


FORMS = (
    Form("numbered or labelled callout", ("[",), parse_bracket),
    Form(
        "superscript callout",
        ("¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "<sup>", "^{"),
        parse_superscript,
        inside_word=True,
    ),
)

"""Containers of English numbers: "of chapter 57 of title 5, United States Code", "of this Act", "of [RFC9110]"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rabbithole.kb.references.grammar.form import WS, WS1, Path, Scan
from rabbithole.kb.references.grammar.standards import standard_at
from rabbithole.kb.references.names.designations.well_known_series import well_known

from .eu_acts import ENGLISH_ACT, english_number
from .path import UNITS, read_numbers

_UNIT = re.compile(
    r"(?:Sub|sub)?(?:[Ss]ections?|SECTIONS?|[Ss]ecs?\.|[Ss]ect\.|[Aa]rticles?|ARTICLES?|[Aa]nnex(?:es)?|ANNEX"
    r"|[Aa]ppendi(?:x|ces)|APPENDIX|[Tt]ables?|TABLE|[Ff]igures?|FIGURE"
    r"|[Ff]igs?\.|[Cc]hapters?|CHAPTER|[Pp]aragraphs?|[Pp]aras?\.|[Cc]lauses?|[Pp]arts?|PARTS?|[Tt]itle|TITLE|[Dd]ivision"
    r"|[Pp]oints?|[Rr]ecitals?|[Ss]chedules?|SCHEDULES?)"
)
_OTHER_POINTS = re.compile(
    r"\b(?:code|percentage|data|decimal|time|access|check|end|set|grid|basis)[ -]$", re.IGNORECASE
)
_OF = re.compile(rf"{WS},?{WS}(?:of|in|to|under|from){WS1}(?:the{WS1})?")
CODE = re.compile(
    rf",?{WS}(?:of{WS1}(?:the{WS1})?)?(?P<code>United{WS1}States{WS1}Code|UNITED{WS1}STATES{WS1}CODE|U\.S\.{WS}Code"
    rf"|Code{WS1}of{WS1}Federal{WS1}Regulations|CFR(?!\w))"
)
PUBLIC_LAW = re.compile(
    rf"(?:Pub(?:lic|\.){WS}L(?:aw|\.)|PUBLIC{WS1}LAW|P\.L\.){WS}(?:No\.{WS})?(\d{{1,3}})[-–‑](\d{{1,4}})(?!\w)"
)
EXECUTIVE_ORDER = re.compile(rf"(?:Executive{WS1}Orders?|E\.{WS}O\.|EO){WS}(?:No\.{WS})?(\d{{4,6}})(?!\w)")
_THIS = re.compile(
    rf"(?:this|that|such|the{WS1}same|said){WS1}(?P<what>[Ss]ection|[Aa]rticle|Act|Code|[Tt]itle|[Cc]hapter|[Pp]art"
    rf"|[Ss]ubpart|[Ss]ubsection|[Pp]aragraph|[Ss]ubparagraph"
    rf"|Regulation|Directive|Agreement|Convention|[Ss]ubchapter|[Dd]ivision|[Ss]tandard|[Dd]ocument|Decision"
    rf"|Recommendation|[Pp]ublication|[Ss]pecification|[Gg]uideline|[Pp]olicy|[Ss]eries"
    rf"|[Aa]nnex|[Aa]ppendix)(?!\w)"
)
ACT = re.compile(
    r"(?:the )?(?P<name>[A-Z][\w'’.-]{0,30},?(?:[ \n](?:[A-Z][\w'’.-]{0,30},?|of|and|the|for|to|in|on|[&])){0,14}?[ \n]"
    r"(?:Act|Amendments|Constitution|Code|Treaty|Convention|Charter|Rules|Regulations|Order|Law"
    r"|Agreement)(?:[ \n](?:of[ \n])?(?:1[6-9]|20)\d\d(?![./-]?\d))?)(?!\w)"
)
_LABEL = re.compile(r"\[(RFC[- ]?\d{1,5}|[A-Z][\w.+-]{1,30}|\d{1,3})\]|(RFC[- ]?\d{1,5})(?!\w)")
_ABBREVIATION = re.compile(
    r"(?:the )?(?P<name>(?:EU )?(?:GDPR|TFEU|TEU|ECHR|UCC|FRCP|ICCPR|UNCLOS|GATT|[A-Z][A-Za-z]*-Treaty"
    r"|Euratom Treaty|[A-Z]{3,8}))(?!\w)"
)
_SPOKEN_WORK = re.compile(
    rf"(?:{WS1}[a-z]{{3,20}}){{0,2}}{WS1}(?:treaty|convention|agreement|directive|code|charter|protocol)(?!\w)"
)
"""The rest of a work's name in small letters: "WIPO copyright treaty"."""


@dataclass(frozen=True, slots=True)
class Container:
    """What a numbered part belongs to: further levels (outermost first), a document, and the end of the match."""

    end: int
    path: Path = ()
    document: str | None = None
    canonical: str = ""
    relative: bool = False
    mention: bool = False
    edition: str | None = None


def unit_at(text: str, pos: int) -> tuple[str, str, int] | None:
    """Return unit, word as written and its end, or None."""
    match = _UNIT.match(text, pos)
    if not match:
        return None
    word = match[0]
    if word[0] == "p" and word.startswith("point") and _OTHER_POINTS.search(text, max(pos - 20, 0), pos):
        return None
    unit = UNITS.get(word.lower())
    return (unit, word, match.end()) if unit else None


def container(scan: Scan, pos: int, depth: int = 0) -> Container | None:
    """Read a container: "of chapter 57 of title 5, United States Code", "of this Act", "GDPR", "of [RFC9110]"."""
    text = scan.text
    of = _OF.match(text, pos)
    start = of.end() if of else re.compile(WS).match(text, pos).end()  # type: ignore[union-attr]
    if not of and start == pos:
        return None
    if not of:
        hit = scan.names.get(start)
        # not a name in the next row of a table
        if hit and not text[start : hit.end].islower() and "\n" not in text[pos:start]:
            return Container(hit.end, (), text[start : hit.end], hit.canonical)
        short = _ABBREVIATION.match(text, start)
        known = short and short["name"] in ("GDPR", "EU GDPR", "TFEU", "TEU", "ECHR", "UCC", "ICCPR", "Euratom Treaty")
        return Container(short.end(), (), short["name"], short["name"]) if short and known else None
    this = _THIS.match(text, start)
    if this:
        return Container(this.end(), relative=True)
    law = PUBLIC_LAW.match(text, start)
    if law:
        name = f"Pub. L. {law[1]}-{law[2]}"
        return Container(law.end(), (), name, name)
    order = EXECUTIVE_ORDER.match(text, start)
    if order:
        name = f"Executive Order {order[1]}"
        return Container(order.end(), (), name, name)
    act = ENGLISH_ACT.match(text, start)
    if act:
        number = english_number(act["id"])
        return Container(act.end(), (), number, number)
    standard = standard_at(scan, start)
    if standard:
        name = standard.document or standard.target
        return Container(standard.end, standard.path, name, name, mention=True, edition=standard.edition)
    part = unit_at(text, start)
    if part and depth < 5:
        return _part_container(scan, start, part, depth)
    label = _LABEL.match(text, start)
    if label:
        written = label[1] or label[2]
        rfc = re.fullmatch(r"RFC[- ]?(\d+)", written, re.IGNORECASE)
        name = f"RFC {int(rfc[1])}" if rfc else f"[{written}]"
        return Container(label.end(), (), written, name, mention=True)
    hit = scan.names.get(start)
    if hit:
        return Container(hit.end, (), text[start : hit.end], hit.canonical)
    named = ACT.match(text, start)
    if named:
        name = " ".join(named["name"].split())
        return Container(named.end(), (), name, name)
    numbered = max(well_known().at(text, start), key=lambda each: each[0], default=None)
    if numbered:
        end, designation = numbered
        return Container(end, (), text[start:end], designation.name, mention=True)
    short = _ABBREVIATION.match(text, start)
    if short and (spoken := _SPOKEN_WORK.match(text, short.end())):
        name = short["name"] + " ".join(["", *spoken[0].split()])
        return Container(spoken.end(), (), name, name)
    if short and (len(short["name"]) < 7 or short["name"] in ("EU GDPR",)):
        return Container(short.end(), (), short["name"], short["name"])
    if of.group().rstrip().endswith("the") and (
        the := re.compile(r"(?:Act|Regulation|Directive|Convention|Treaty|Code)(?!\w)").match(text, start)
    ):
        return Container(the.end(), relative=True)
    return None


def _part_container(scan: Scan, start: int, part: tuple[str, str, int], depth: int) -> Container | None:
    text = scan.text
    unit, word, end = part
    space = re.compile(WS1).match(text, end)
    numbers = read_numbers(text, space.end(), unit, lists=False, ranges=False) if space else None
    if not numbers:
        return None
    path = numbers.items[0]
    if word.lower() == "title":
        code = CODE.match(text, numbers.end)
        if code:
            return Container(code.end(), (), *code_name(path[0][1], code["code"]))
    outer = container(scan, numbers.end, depth + 1)
    if outer:
        return Container(
            outer.end, (*outer.path, *path), outer.document, outer.canonical, outer.relative, outer.mention
        )
    return Container(numbers.end, path)


def code_name(title: str, code: str) -> tuple[str, str]:
    """Return name and key of a code: "title 40, Code of Federal Regulations" is cited as "40 CFR"."""
    name = f"{title} CFR" if "ederal" in code or code == "CFR" else f"{title} U.S.C."
    return name, name

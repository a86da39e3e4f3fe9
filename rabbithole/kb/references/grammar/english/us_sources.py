"""Reads American codes and registers: "10 CFR 20.1201(a)(1)", "42 U.S.C. § 2011", "82 FR 36308", "Pub. L. 112-141"."""

from __future__ import annotations

import re

from rabbithole.kb.references.grammar.form import WS, WS1, Form, FormMatch, Path, Scan, spell

from .container import EXECUTIVE_ORDER, PUBLIC_LAW
from .path import read_numbers

_TITLE = re.compile(r"(?<![\w.–-])(\d{1,3})[\s\u00a0]{1,3}\Z")
_CODE = re.compile(
    rf"(?P<usc>U\.{WS}S\.{WS}C(?:ode|\.)?(?:A\.)?|USC(?:A|S)?|United{WS1}States{WS1}Code)"
    rf"|(?P<cfr>C\.F\.R\.?|CFR)"
)
_UNIT = re.compile(
    rf"(?:{WS},)?{WS}(?:(?P<mark>§§?|[Ss]ections?|SECTIONS?|[Ss]ecs?\.|SECS?\.)"
    rf"|(?P<part>[Pp]arts?|PARTS?|[Cc]hapters?|CHAPTERS?|[Cc]h\.|[Ss]ubparts?|Pts?\.)){WS}|{WS1}"
)
_APPENDIX = re.compile(rf"{WS}[Aa]pp(?:endix|\.)?(?:{WS}(?P<number>\d{{1,3}}))?(?!\w)")
_TAIL = re.compile(rf"{WS}(?:,?{WS}(?P<open>et{WS}seq\.?|and{WS1}following|ff\.)|note(?!\w))")
_SUBJECT = re.compile(r":[^.;:\n]{1,60}(?=,\s)")
"""The subject of a title: 'Title 18 U.S. Code: Criminal Procedure, Section 1708'."""
_SECTION = re.compile(rf",?{WS}(?:§§?|[Ss]ections?|[Ss]ecs?\.){WS}")
_REGISTER = re.compile(
    rf"(?P<name>Fed\.{WS}Reg\.|FR|F\.R\.|Stat\.?;?|stat\.){WS}(?P<page>\d{{1,3}}(?:,\d{{3}})"
    rf"|\d{{1,6}}(?:[A-Z]?[-–]\d{{1,4}}(?!\d))?)(?!\w)(?:{WS},{WS}chapter{WS}(?P<chapter>\d{{1,4}}))?"
)
_BILL = re.compile(
    rf"(?P<type>H\.{WS}R\.|S\.|H\.{WS}J\.{WS}Res\.|S\.{WS}J\.{WS}Res\.|H\.{WS}Con\.{WS}Res\.|S\.{WS}Con\.{WS}Res\."
    rf"|H\.{WS}Res\.|S\.{WS}Res\.){WS}(?P<number>\d{{1,5}})(?!\w)"
)


def _title(scan: Scan, at: int) -> re.Match[str] | None:
    return _TITLE.search(scan.text, max(scan.floor, at - 8), at)


def parse_code(scan: Scan, at: int) -> list[FormMatch]:
    """Read the United States Code and the Code of Federal Regulations: title before, sections or parts after."""
    text = scan.text
    code, title = _CODE.match(text, at), _title(scan, at)
    if not code or not title:
        return []
    name = f"{title[1]} {'CFR' if code['cfr'] else 'U.S.C.'}"
    start, pos = title.start(1), code.end()
    appendix = _APPENDIX.match(text, pos)
    if appendix and not code["cfr"]:
        path: Path = (("appendix", appendix["number"] or ""),) if appendix["number"] else ()
        return [
            FormMatch(
                start, appendix.end(), "legal_section", spell(path, name) + (" App." if not path else ""), name, path
            )
        ]
    note = re.compile(rf"{WS}note(?!\w)").match(text, pos)
    if note:
        return [FormMatch(start, note.end(), "document_mention", name, name)]
    return places_of_code(text, start, pos, name)


def places_of_code(text: str, start: int, pos: int, name: str) -> list[FormMatch]:
    """Return the sections or parts that follow a code named from ``start`` to ``pos``, else the code as a whole."""
    regulations = name.endswith("CFR")
    subject = _SUBJECT.match(text, pos)
    unit = (_UNIT.match(text, subject.end()) if subject else None) or _UNIT.match(text, pos)
    numbers = None
    if unit:
        word = (unit["part"] or "").lower()
        kind = (
            "chapter"
            if word.startswith("ch")
            else "subpart"
            if word.startswith("sub")
            else "part"
            if word
            else "section"
        )
        numbers = read_numbers(text, unit.end(), kind)
    if not numbers:
        return [FormMatch(start, pos, "document_mention", name, name)] if not unit or not unit["mark"] else []
    items = [_unify(path, regulations) for path in numbers.items]
    tail = _TAIL.match(text, numbers.end)
    end = tail.end() if tail else numbers.end
    following = bool(tail and tail["open"])
    return [
        FormMatch(start, end, "legal_section", spell(path, name), name, path, following and index == len(items) - 1)
        for index, path in enumerate(items)
    ]


def _unify(path: Path, regulations: bool) -> Path:
    """Tell parts from sections: "45 CFR 671" is a part, "34 CFR part 75.118" a section, as its point shows."""
    unit, value = path[0]
    if regulations and unit in ("section", "part"):
        unit = "section" if "." in value else "part"
    return ((unit, value), *path[1:])


def parse_register(scan: Scan, at: int) -> list[FormMatch]:
    """Read the Federal Register and the Statutes at Large: volume before, page after."""
    match, volume = _REGISTER.match(scan.text, at), _title(scan, at)
    if not match or not volume:
        return []
    series = "Stat." if match["name"].lower().startswith("stat") else "FR"
    name = f"{volume[1]} {series} {match['page'].replace(',', '')}"
    path: Path = (("chapter", match["chapter"]),) if match["chapter"] else ()
    return [FormMatch(volume.start(1), match.end(), "document", spell(path, name) if path else name, name, path)]


def parse_public_law(scan: Scan, at: int) -> list[FormMatch]:
    """Read "Public Law 112-141", "Public Law 107-296 §§ 211-215"."""
    match = PUBLIC_LAW.match(scan.text, at)
    if not match:
        return []
    name = f"Pub. L. {match[1]}-{match[2]}"
    mark = _SECTION.match(scan.text, match.end())
    numbers = read_numbers(scan.text, mark.end(), "section") if mark else None
    if not numbers:
        return [FormMatch(at, match.end(), "document_mention", name, name)]
    return [FormMatch(at, numbers.end, "legal_section", spell(path, name), name, path) for path in numbers.items]


def parse_order(scan: Scan, at: int) -> list[FormMatch]:
    """Read "Executive Order 12866"."""
    match = EXECUTIVE_ORDER.match(scan.text, at)
    name = f"Executive Order {match[1]}" if match else ""
    return [FormMatch(at, match.end(), "document_mention", name, name)] if match else []


def parse_bill(scan: Scan, at: int) -> list[FormMatch]:
    """Read "H.R. 1068", "H.J. Res. 59"."""
    match = _BILL.match(scan.text, at)
    if not match:
        return []
    name = f"{''.join(match['type'].split()).replace('Res', ' Res').replace('Con', ' Con')} {match['number']}"
    return [FormMatch(at, match.end(), "document_mention", name, name)]


FORMS = (
    Form("US code", ("U.S.C", "U.S. C", "U. S. C", "USC", "United States Code", "CFR", "C.F.R"), parse_code),
    Form("US register", ("FR ", "Fed. Reg.", "F.R.", "Stat.", "Stat ", "Stat;", "stat."), parse_register),
    Form("public law", ("Public Law", "Pub. L", "PUBLIC LAW", "P.L."), parse_public_law),
    Form("executive order", ("Executive Order", "E.O.", "E. O.", "EO "), parse_order),
    Form(
        "bill",
        ("H.R.", "H. R.", "H.J. Res.", "S.J. Res.", "H. Res.", "H.Res.", "S. Res.", "H. Con. Res.", "H.Con.Res."),
        parse_bill,
    ),
)

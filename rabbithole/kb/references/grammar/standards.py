"""Reads standards and reports by number, with section and date: "KTA 1404 Abschnitt 4.2", "ISO 9001:2015"."""

from __future__ import annotations

import re
from collections.abc import Callable

from rabbithole.kb.references.grammar.exclusions import at_line_start

from . import series
from .form import WS, WS1, Form, FormMatch, Scan, spell
from .named_standards import only_named
from .section_after import section_after

_DATE = r"(?:19|20)\d\d(?:-\d\d)?"
_PAPER = rf"[A-C]{WS}(?:10|\d)(?![\d.:-]*\d)"
"""A paper size: 'DIN A4'."""
# family -> pattern; groups: id (the name, with white space normalised) and date (the edition)
_PATTERNS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("KTA",),
        rf"(?P<id>KTA(?:-GS)?(?:-Regel)?{WS}\d{{3,4}}(?:\.\d{{1,2}})?)(?:{WS}\({WS}(?:Fassung{WS})?(?P<date>{_DATE}){WS}\)|:(?P<date2>{_DATE})|{WS},?{WS}Fassung{WS}(?P<date3>{_DATE}))?",
    ),
    (
        ("DIN", "ISO", "IEC", "EN ", "VDI", "VDE", "ÖNORM", "SN EN", "NF EN", "BS EN", "BS "),
        rf"(?P<id>(?:(?:DIN|ISO|IEC|EN|VDE|VDI|ÖNORM|BS|NF|SN|IEEE|CEN|TS|TR|PAS|SPEC|V|E|ETS|CLC|Guide|Leitfaden"
        rf"|VDMA)(?:[ /\u00a0-]|(?=\d))){{1,5}}(?!{_PAPER})(?:[A-Z]{{1,2}}{WS})?\d{{1,6}}(?:-\d{{1,3}}(?!\d)){{0,3}}"
        rf"(?:{WS}(?:Teil|Part|Blatt){WS}\d{{1,3}}(?:\.\d{{1,2}})?)?)(?::(?P<date>{_DATE})|{WS}\({WS}(?P<date2>{_DATE}){WS}\)"
        rf"|,{WS}Ausgabe{WS}(?P<date3>(?:[A-ZJ]\w{{2,9}}{WS})?{_DATE}))?",
    ),
    (
        ("ICRP",),
        rf"(?P<id>ICRP[- ](?:(?:Publication|Publ\.?|Veröffentlichung|Publikation|Pub\.?)s?{WS}(?:Nr\.?{WS}"
        rf"|No\.?{WS})?)?\d{{1,3}})(?:{WS}\((?P<date>{_DATE})\))?",
    ),
    (
        ("IAEA", "IAEO"),
        rf"(?P<id>IAE[AO](?:'s)?[- ](?:(?:Safety{WS}(?:Reports?|Standards?|Guide|Requirements"
        rf"|Fundamentals)(?:{WS}Series)?|Nuclear{WS}Security{WS}Series|Nuclear{WS}Energy{WS}Series|TECDOC|SRS|NSS"
        rf"|GSR|GSG|SSR|SSG|SF|NS|WS|RS|TS|INSAG|Technical{WS}Reports?{WS}Series|TRS)"
        rf"(?:[- ](?:Part|R|G|S|T))?)(?:[-, ]{{1,2}}(?:No\.?|Nr\.?))?[- ]{{0,2}}(?:(?:GSR|GSG|SSR|SSG|SF|NS|WS|RS"
        rf"|TS)[- ](?:(?:Part|R|G){WS}-?)?)?\d{{1,4}}(?:[./-]\d{{1,3}})?)"
        rf"(?:{WS}\((?:(?P<date>{_DATE})|(?P<date2>Rev\.{WS}\d))\))?",
    ),
    (
        ("GSR", "SSR-", "SSG-", "GSG-"),
        rf"(?P<id>(?:GSR{WS}Part{WS}\d|(?:SSR|SSG|GSG)-\d{{1,3}}(?:/\d)?))(?:{WS}\((?P<date>Rev\.{WS}\d)\))?",
    ),
    (("NUREG",), r"(?P<id>NUREG(?:/CR|/BR|/CP|/IA|/KM)?-\d{4})(?:,?\s?(?P<date>Rev(?:ision|\.)?\s?\d{1,2}))?"),
    (
        ("Regulatory Guide", "Reg. Guide", "RG "),
        rf"(?P<id>(?:Regulatory{WS1}Guide|Reg\.{WS}Guide|RG){WS}\d{{1,2}}\.\d{{1,3}})(?:,?{WS}(?P<date>Rev(?:ision"
        rf"|\.)?{WS}\d{{1,2}}))?",
    ),
    (("RFC",), r"(?P<id>RFCs?[-\s ]{0,2}\d{1,5})"),
    (
        ("IEEE", "ANSI", "ASME", "ASTM", "API "),
        rf"(?P<id>(?:(?:ANSI|IEEE|ASME|ASTM|API|ANS|ASCE)[/ -]){{1,3}}(?:Std\.?{WS}"
        rf"|Standard{WS})?[A-Z]{{0,2}}-?\d{{1,5}}(?:\.\d{{1,3}}){{0,3}}(?:[A-Za-z]{{1,2}}(?!\w))?(?:-\d{{1,3}}(?!\d))?)(?:[-:](?P<date>(?:19"
        rf"|20)\d\d))?",
    ),
    (
        ("ESK", "RSK", "SSK", "BSI", "TRGS", "TRBS", "WENRA", "EUR ", "YVL"),
        rf"(?P<id>(?:BSI[ -](?:TR|CC|Standard|PP)[- ]\d{{3,5}}(?:-\d{{1,3}})*|(?:TRGS|TRBS"
        rf"|ASR){WS}[A-Z]?\d{{1,4}}(?:\.\d{{1,2}})?|EUR{WS}\d{{4,6}}|YVL{WS}[A-E]\.\d{{1,2}}))",
    ),
)
_RFC_LIST = re.compile(rf"(?:{WS},{WS}(?:and{WS})?|{WS}(?:and|und|or|oder){WS}|{WS}/{WS})(\d{{3,5}})(?![\w.])")


def _parser(pattern: re.Pattern[str]) -> Callable[[Scan, int], list[FormMatch]]:
    def parse(scan: Scan, at: int) -> list[FormMatch]:
        match = pattern.match(scan.text, at)
        if not match:
            return []
        groups = match.groupdict()
        edition = groups.get("date") or groups.get("date2") or groups.get("date3")
        name = " ".join(match["id"].split()).replace("RFCs", "RFC").rstrip(",")
        if name.startswith("RFC"):
            return [] if _is_header(scan.text, match) else _rfc(scan, at, match)
        path, end = section_after(scan.text, match.end())
        if not path and edition is None and only_named(scan.text, at, match.end()):
            return []
        target = spell(path, name) if path else name
        return [FormMatch(at, end, "document_mention", target, name, path, edition=edition)]

    return parse


def _is_header(text: str, match: re.Match[str]) -> bool:
    """Return whether the RFC's number stands in its own running header, or in brackets that another form reads."""
    if text[match.start() - 1 : match.start()] == "[" and text[match.end() : match.end() + 1] == "]":
        return True
    return text.startswith("    ", match.end()) and at_line_start(text, match.start())


def _rfc(scan: Scan, at: int, match: re.Match[str]) -> list[FormMatch]:
    """Read "RFC 2119", "RFCs 2119 and 8174"; each number is one mention."""
    text = scan.text
    number = re.sub(r"\D", "", match["id"])
    path, end = section_after(text, match.end())
    name = f"RFC {int(number)}"
    found = [FormMatch(at, end, "document_mention", spell(path, name) if path else name, name, path)]
    if match["id"].startswith("RFCs"):
        while len(found) < 50 and (more := _RFC_LIST.match(text, end)):
            end, name = more.end(), f"RFC {int(more[1])}"
            found.append(FormMatch(more.start(1), end, "document_mention", name, name))
    return found


FORMS = (
    *(
        Form(f"standard {triggers[0].strip()}", triggers, _parser(re.compile(source + r"(?!\w)")))
        for triggers, source in _PATTERNS
    ),
    *series.FORMS,
)


def standard_at(scan: Scan, pos: int) -> FormMatch | None:
    """Return the standard named at ``pos``, for forms that it may follow: "clause 4.2 of ISO 9001:2015"."""
    for form in FORMS:
        if scan.text.startswith(form.triggers, pos):
            found = form.parse(scan, pos)
            if found:
                return found[0]
    return None

"""German citations of sections and articles: "§ 78 Abs. 1 Satz 1 StrlSchG", "§§ 31, 33 und 35 bis 37 StrlSchV"."""

from __future__ import annotations

import re

from rabbithole.kb.references.grammar.exclusions import is_heading, is_listing
from rabbithole.kb.references.grammar.form import WS, WS1, Form, FormMatch, Scan, spell
from rabbithole.kb.references.names.name_index import NameHit

from .law_names import LawName, law_after
from .path import SEPARATOR, Paths, read_paths

_MARK = re.compile(
    rf"(?P<section>§§?|Paragraph(?:en)?(?=\s\d))|(?P<article>Art\.?(?={WS}[\dIVX])|Artt\.?"
    rf"|Arti[kc](?:el[ns]?)(?={WS}[\dIVX]))"
)
_SPACE = re.compile(WS)
_ANNEX = re.compile(rf"(?:(?:der|den|dem){WS1})?(?=Anl|Anh)")
_COMMA = re.compile(rf",{WS1}(?:des|der){WS1}")
_INSERTED = re.compile(r"Verbindung|i\.? ?V\.? ?m")
MAX_CHAIN = 12


def _mark(text: str, pos: int) -> tuple[str, bool, int] | None:
    """Return unit, whether it is plural, and the end of the sign that opens a citation."""
    match = _MARK.match(text, pos)
    if not match:
        return None
    unit = "§" if match["section"] else "Art"
    return unit, match[0] in ("§§", "Paragraphen", "Artikeln", "Artt."), match.end()


def parse(scan: Scan, at: int) -> list[FormMatch]:
    """Read a chain of citations up to the law they share; without a law each stands for itself."""
    text = scan.text
    groups: list[tuple[int, Paths]] = []
    pos = at
    law: LawName | None = None
    while len(groups) < MAX_CHAIN:
        paths = _group(text, pos, first=not groups)
        if not paths:
            break
        groups.append((pos, paths))
        law = _law(scan, pos, paths) or _apposed(scan, at, paths.end)
        separator = SEPARATOR.match(text, paths.end)
        if law or not separator:
            break
        pos = _SPACE.match(text, separator.end()).end()  # type: ignore[union-attr]
    if law:
        return [found for _, paths in groups for found in _founds(text, at, law.end, paths, law)]
    before = _law_before(scan, at) if len(groups) == 1 else None
    if before:
        named = LawName(groups[0][1].end, scan.text[before.start : before.end], before.canonical)
        return _founds(text, before.start, named.end, groups[0][1], named)
    return [
        found
        for start, paths in groups
        if not _opens(text, start, paths)
        for found in _founds(text, start, paths.end, paths, None)
    ]


def _law_before(scan: Scan, at: int) -> NameHit | None:
    """Return the law named directly before the section, as in commentaries: "BGB § 433", "EStG § 33 Rz 142"."""
    hit = scan.name_ends.get(at - 1) if scan.text[at - 1 : at] in (" ", "\u00a0") else None
    return hit if hit and hit.law and hit.start >= scan.floor and _is_abbreviation(scan.text, hit) else None


def _is_abbreviation(text: str, hit: NameHit) -> bool:
    return sum(char.isupper() for char in text[hit.start : hit.end]) > 1 and hit.end - hit.start < 16


def _law(scan: Scan, start: int, paths: Paths) -> LawName | None:
    """Return the law after the path, unless "Artikel 7" is a heading and the law's name its title on the next line."""
    law = law_after(scan, paths.end)
    if law and "\n" in scan.text[paths.end : paths.end + 3] and _opens(scan.text, start, paths):
        return None
    return law


def _group(text: str, pos: int, *, first: bool) -> Paths | None:
    """Read one citation of the chain; after the first it may be an annex: "§ 55 in Verbindung mit Anlage 3"."""
    mark = _mark(text, pos)
    if mark:
        return read_paths(text, mark[2], mark[0], mark[1])
    annex = None if first else _ANNEX.match(text, pos)
    return read_paths(text, annex.end(), None) if annex else None


def _apposed(scan: Scan, start: int, end: int) -> LawName | None:
    """Return the law after an insertion: "§ 12 Absatz 1, auch in Verbindung mit Absatz 2, des Atomgesetzes"."""
    comma = _COMMA.match(scan.text, end)
    if not comma or not _INSERTED.search(scan.text, start, end):
        return None
    law = law_after(scan, end + 1)
    return law if law and law.document and comma.end() in scan.names else None


def _opens(text: str, start: int, paths: Paths) -> bool:
    """Return whether a bare section is the heading of its own text or a line of a table of contents."""
    bare = len(paths.items) == 1 and len(paths.items[0]) == 1
    return bare and (is_heading(text, start, paths.end) or is_listing(text, paths.end))


def _founds(text: str, start: int, end: int, paths: Paths, law: LawName | None) -> list[FormMatch]:
    document = law.document if law else None
    last = len(paths.items) - 1
    return [
        FormMatch(
            start,
            end,
            "legal_section",
            spell(path, law.canonical if law else None),
            document,
            path,
            following=paths.following and index == last,
            relative=document is None,
            edition=law.edition if law else None,
        )
        for index, path in enumerate(paths.items)
    ]


FORMS = (Form("German section or article", ("§", "Art", "Paragraph"), parse),)

"""German citations of sections and articles: "§ 78 Abs. 1 Satz 1 StrlSchG", "§§ 31, 33 und 35 bis 37 StrlSchV"."""

from __future__ import annotations

import re

from .form import WS, Form, Found, Path, Scan, spell
from .german_path import SEPARATOR, Paths, read_paths
from .headings import is_heading, is_listing
from .law_names import LawName, law_after

_MARK = re.compile(
    rf"(?P<section>§§?|Paragraph(?:en)?(?=\s\d))|(?P<article>Art\.?(?={WS}[\dIVX])|Artt\.?|Arti[kc](?:el[ns]?)(?={WS}[\dIVX]))"
)
MAX_CHAIN = 12


def _mark(text: str, pos: int) -> tuple[str, bool, int] | None:
    """Unit, plural, end of the sign that opens a citation."""
    match = _MARK.match(text, pos)
    if not match:
        return None
    unit = "§" if match["section"] else "Art"
    return unit, match[0] in ("§§", "Paragraphen", "Artikeln", "Artt."), match.end()


def parse(scan: Scan, at: int) -> list[Found]:
    """Read a chain of citations up to the law they share; without a law each stands for itself."""
    text = scan.text
    groups: list[tuple[int, Paths]] = []
    pos = at
    law: LawName | None = None
    while len(groups) < MAX_CHAIN:
        mark = _mark(text, pos)
        paths = read_paths(text, mark[2], mark[0], mark[1]) if mark else None
        if not mark or not paths:
            break
        groups.append((pos, paths))
        law = law_after(scan, paths.end)
        if law:
            break
        separator = SEPARATOR.match(text, paths.end)
        if not separator:
            break
        pos = separator.end()
        while pos < len(text) and text[pos].isspace() and pos - separator.end() < 4:
            pos += 1
    if not groups:
        return []
    if law:
        return [found for _, paths in groups for found in _founds(text, at, law.end, paths, law)]
    return [
        found
        for start, paths in groups
        if not _opens(text, start, paths)
        for found in _founds(text, start, paths.end, paths, None)
    ]


def _opens(text: str, start: int, paths: Paths) -> bool:
    """Whether a bare section is the heading of its own text or a line of a table of contents."""
    bare = len(paths.items) == 1 and len(paths.items[0]) == 1
    return bare and (is_heading(text, start, paths.end) or is_listing(text, paths.end))


def _founds(text: str, start: int, end: int, paths: Paths, law: LawName | None) -> list[Found]:
    document = law.document if law else None
    last = len(paths.items) - 1
    return [
        Found(
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
__all__ = ["FORMS", "Path", "parse"]

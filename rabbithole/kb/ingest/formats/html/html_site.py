"""Reads from one HTML page which manual or site it is a page of, as generators of manuals write it.

DocBook links to the start page by its title, texinfo puts the manual in parentheses behind the node, Sphinx and most
others put the site before or behind the page's title. The page alone decides, so the order of reading never matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_HOME = ("home", "start", "top", "first", "contents")
_NAVIGATION = frozenset({*_HOME, "next", "prev", "previous", "up", "index", "toc", "search", "parent"})
_KEYS = frozenset("hnpu")
"""The access keys of "home", "next", "previous" and "up" in pages made from DocBook."""
_STEPS = frozenset("next previous prev nextpage previouspage weiter zurück nächste vorherige".split())
"""Words of a link that leads to the page before or behind."""
_SITE_NAMES = frozenset({"og:site_name", "application-name"})
_SAYS_NOTHING = frozenset(
    "home homepage start startseite top up index contents content inhalt inhaltsverzeichnis übersicht main "
    "mainpage tableofcontents toc documentation dokumentation docs manual handbuch overview back zurück".split()
)
_BEHIND = re.compile(r"\s+(?:[—–|·»-]|::)\s+(?P<site>\S.*)")
_BEFORE = re.compile(r"(?P<site>.*\S)\s+(?:[—–|·»-]|::)\s+")
_SIGNS = "¶#🔗\uf0c1 "
_LONGEST = 160
_HEADINGS = ("h1", "h2", "h3", "h4")


def book_of(root: Any) -> str:
    """Return the name of the manual or site that a page belongs to, or '' if the page does not say it."""
    title = next((_words(each) for each in root.iter("title")), "")
    for name in (*_linked(root), *_named(root)):
        if _tells(name):
            return name
    if not _navigates(root):
        return ""  # 'Name - a subtitle' is the title of a page that stands alone
    name = _in_parentheses(title) or _beside_heading(title, root) or _above_heading(title, root)
    return name if _tells(name) else ""


def is_banner(header: Any) -> bool:
    """Return whether an element is the head of the site, with its name, rather than the head of an article."""
    if header.get("role") != "banner" or next(header.iterancestors("article", "section", "main"), None) is not None:
        return False
    inside = sum(1 for _ in header.iter(*_HEADINGS))
    return any(number > inside for number, _ in enumerate(header.getroottree().getroot().iter(*_HEADINGS), 1))


def _linked(root: Any) -> Iterator[str]:
    """Yield the titles of links to the start page, those in the page's head first."""
    links = list(root.iter("link"))
    for relation in _HOME:
        yield from (" ".join((each.get("title") or "").split()) for each in links if relation in _relations(each))
    for anchor in root.iter("a"):
        if anchor.get("accesskey") == "h":
            yield " ".join((anchor.get("title") or "").split())
        elif "home" in _relations(anchor):
            yield " ".join((anchor.get("title") or "").split()) or _words(anchor)


def _named(root: Any) -> Iterator[str]:
    for each in root.iter("meta"):
        if str(each.get("property") or each.get("name") or "").casefold() in _SITE_NAMES:
            yield " ".join(str(each.get("content") or "").split())


def _navigates(root: Any) -> bool:
    """Return whether the page leads to the next or a higher page, as a page of a book does."""
    return any(
        not _NAVIGATION.isdisjoint(_relations(each)) or (each.tag == "a" and (each.get("accesskey") or "") in _KEYS)
        for each in root.iter("link", "a")
        if each.get("href")
    ) or any(_letters(_words(each)) in _STEPS for each in root.iter("a"))


def _in_parentheses(title: str) -> str:
    """Return the last words in parentheses of a title: 'Input (GNU Octave (version 7))' -> 'GNU Octave (version 7)'."""
    depth = 0
    for at in range(len(title) - 1, 0, -1) if title.endswith(")") else ():
        depth += (title[at] == ")") - (title[at] == "(")
        if depth == 0:
            return title[at + 1 : -1] if title[at - 1].isspace() else ""
    return ""


def _beside_heading(title: str, root: Any) -> str:
    """Return what stands before or behind the page's own heading in its title."""
    for heading in root.iter(*_HEADINGS):
        words = _words(heading).rstrip(_SIGNS)
        if not words or words == title:
            continue
        if title.startswith(words) and (found := _BEHIND.fullmatch(title, len(words))):
            return found["site"]
        if title.endswith(words) and (found := _BEFORE.fullmatch(title, 0, len(title) - len(words))):
            return found["site"]
    return ""


def _above_heading(title: str, root: Any) -> str:
    """Return the first heading of a page whose title is its second: 'Mailer' over 'Chapter 3 - Routing'."""
    headings = [each for each in root.iter(*_HEADINGS) if each.getparent().tag != "nav"][:2]
    above, own = (_letters(_words(each)) for each in headings) if len(headings) == 2 else ("", "")
    named = _letters(title).lstrip("0123456789")
    if headings and headings[0].tag == "h1" != headings[-1].tag and named and own.endswith(named) and above not in own:
        return _words(headings[0]).rstrip(_SIGNS)
    return ""


def _tells(name: str) -> bool:
    letters = "".join(filter(str.isalpha, name)).casefold()
    return len(letters) > 2 and len(name) <= _LONGEST and letters not in _SAYS_NOTHING


def _relations(element: Any) -> list[str]:
    return str(element.get("rel") or "").casefold().split()


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _words(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())

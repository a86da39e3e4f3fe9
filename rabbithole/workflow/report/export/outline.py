"""A report's Markdown as sanitised HTML, with an id for each heading and the list of these headings."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

# fmt: off
TAGS = {
    "h1", "h2", "h3", "h4", "h5", "p", "ul", "ol", "li", "blockquote", "strong", "em", "code", "pre", "a", "br", "hr",
    "sup", "table", "thead", "tbody", "tr", "th", "td",
}
# fmt: on
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, **{f"h{level}": {"id"} for level in range(2, 6)}}

STRONG = ("strong_open", "strong_close")


class Heading(NamedTuple):
    """A heading below the title. Level 1 is a section; ``place`` marks the line above a quoted passage."""

    level: int
    id: str
    title: str
    place: bool = False


class Outlined(NamedTuple):
    html: str
    headings: tuple[Heading, ...]
    title: str = ""

    @property
    def contents(self) -> tuple[Heading, ...]:
        """The headings of the table of contents: sections and parts of the question, not each quoted passage."""
        return tuple(one for one in self.headings if one.level <= 2 and not one.place)


def markdown_parser() -> MarkdownIt:
    """Return the parser for reports: tables, no raw HTML. It accepts every link; the sanitiser filters the schemes."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


def outlined(markdown: str, prefix: str = "s") -> Outlined:
    """Return sanitised HTML (no raw HTML, no scripts, links only to files and the web) and its headings.

    Lines of the report that stand alone in bold (a part of the question, the place of a passage) become headings. Ids
    begin with ``prefix``; documents cannot set any, because their HTML is text.
    """
    parser = markdown_parser()
    tokens = parser.parse(markdown)
    headings = _headings(tokens, prefix)
    rendered = parser.renderer.render(tokens, parser.options, {})
    schemes = {"http", "https", "file"}
    clean = nh3.clean(rendered, tags=TAGS, attributes=ATTRIBUTES, url_schemes=schemes, link_rel="noopener noreferrer")
    first = tokens[1] if tokens and tokens[0].tag == "h1" else None
    return Outlined(clean, headings, _plain(first) if first else "")


def body_html(markdown: str) -> str:
    """Return the sanitised HTML alone."""
    return outlined(markdown).html


def contents_html(headings: Sequence[Heading]) -> str:
    """Return the headings as nested lists of links; '' if there are fewer than two."""
    if len(headings) < 2:
        return ""
    parts = []
    for before, one in zip((None, *headings), headings, strict=False):
        if before is None or one.level > before.level:
            parts.append("<ul>")
        else:
            parts.append("</li>" + "</ul></li>" * (before.level - one.level))
        parts.append(f'<li><a href="#{one.id}">{html.escape(one.title)}</a>')
    return "".join(parts) + "</li></ul>" * headings[-1].level


def _headings(tokens: Sequence[Token], prefix: str) -> tuple[Heading, ...]:
    """Give each heading below the title its level and id, in the tokens as well. Levels never skip one."""
    found: list[Heading] = []
    above = 0  # the level of the last heading that is no place
    for at, token in enumerate(tokens):
        if token.level or token.type not in ("heading_open", "paragraph_open") or token.tag == "h1":
            continue
        words = tokens[at + 1]
        alone = token.type == "paragraph_open"
        if alone and not _is_bold(words):
            continue
        title = _plain(words)
        place = alone and title.endswith(":")
        wanted = above + 1 if place else 2 if alone else int(token.tag[1]) - 1
        level = min(wanted, above + 1, 4)
        above = above if place else level
        found.append(Heading(level, f"{prefix}-{len(found) + 1}", title.removesuffix(":"), place))
        token.tag = tokens[at + 2].tag = f"h{level + 1}"
        token.attrSet("id", found[-1].id)
        if alone:
            words.children = [child for child in words.children or [] if child.type not in STRONG]
    return tuple(found)


def _is_bold(words: Token) -> bool:
    kinds = [child.type for child in words.children or [] if child.type != "text" or child.content]
    return len(kinds) > 2 and kinds[0] == STRONG[0] and kinds.index(STRONG[1]) == len(kinds) - 1


def _plain(words: Token) -> str:
    return " ".join("".join(child.content for child in words.children or []).split())

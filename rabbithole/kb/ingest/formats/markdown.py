"""Reads Markdown into blocks by way of HTML; headings get the anchors that code hosts use for links."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt

from rabbithole.kb.models import Scalar

from .blocks import Flow
from .encoding import decoded
from .html.html_reader import flow_of_html
from .size_limit import read_limited

_FRONT = re.compile(r"\A---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_FIELD = re.compile(r"^(title|author|date|keywords|subject|language)\s*:\s*[\"']?(.{1,500}?)[\"']?\s*$", re.M | re.I)
_NOT_IN_NAMES = re.compile(r"[^\w\- ]")
MAX_MARKDOWN = 20_000_000


def read_markdown(path: Path) -> Flow:
    """Read a Markdown file. Raises IngestError if it is not text or too large."""
    text, warning = decoded(read_limited(path, "Markdown", MAX_MARKDOWN), path.name)
    properties: dict[str, Scalar] = {}
    if front := _FRONT.match(text.replace("\r\n", "\n")):
        properties = {name.casefold(): value for name, value in _FIELD.findall(front[1])}
        text = text.replace("\r\n", "\n")[front.end() :]
    flow = flow_of_html(to_html(text), path.name)
    return Flow(flow.blocks, {**flow.properties, **properties}, (warning,) if warning else ())


def to_html(text: str) -> str:
    """Return HTML with an id for each heading."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    seen: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            name = _NOT_IN_NAMES.sub("", inline.content.casefold()).strip().replace(" ", "-")
            count = seen.get(name, 0)
            seen[name] = count + 1
            opening.attrSet("id", f"{name}-{count}" if count else name)
    return str(parser.renderer.render(tokens, parser.options, {}))

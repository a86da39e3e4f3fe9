"""The report as HTML a browser may show: sanitised, with a chip for each citation.

Markdown from a model or a document is data: raw HTML is escaped by the renderer, and what comes out passes a list of
allowed elements without links, images, styles or scripts. Chips are put in afterwards, from our own template.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from html import escape, unescape

import nh3
from markdown_it import MarkdownIt

from rabbithole.steps.models import Citation

ALLOWED = {
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "ul", "ol", "li", "strong", "em", "del", "code", "pre",
    "blockquote", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
KEY = re.compile(r"\s*\[e[0-9a-f]{4,}(?:\s*,\s*e[0-9a-f]{4,})*\]")
MARKER = re.compile(r"\[(\[(\d{1,4})\])\]\[s\2\]")  # as the report links it: [[3]][s3]; "[3]" is text of a document
DEFINITION = re.compile(r"^\[s\d{1,4}\]: <[^>\n]*>.*$", re.MULTILINE)
LONGEST_QUOTE = 1600
QUOTED = re.compile(r"[„“\"«»]([^„“”\"«»]{8,1500})[“”\"»«][\s).,;]*$")
ESCAPED = re.compile(r"\\([^\w\s])")  # a sign that Markdown would take for its own
_HEADING = re.compile(r"<h2>(.*?)</h2>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_OPEN, _CLOSE = "\ue000", "\ue001"
_PLACED = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_RENDERER = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def report_html(markdown: str, citations: Mapping[str, Citation] | None = None) -> str:
    """HTML of the report. ``citations`` by marker ('[3]'); markers without one, and numbers that stand in a
    document's own words, stay plain text.

    A chip opens the words quoted right before it, where the report cites one place for several quotations.
    """
    known = citations or {}
    text = DEFINITION.sub("", markdown.replace(_OPEN, "").replace(_CLOSE, ""))
    chips: list[str] = []

    def placed(found: re.Match[str]) -> str:
        if found[1] not in known:
            return found[1]
        quoted = QUOTED.search(text, max(0, found.start() - LONGEST_QUOTE), found.start())
        chips.append(chip(known[found[1]], quoted[1] if quoted else ""))
        return f"{_OPEN}{len(chips) - 1}{_CLOSE}"

    html = _clean(MARKER.sub(placed, text))
    return _PLACED.sub(lambda m: chips[int(m[1])], html)


def _clean(markdown: str) -> str:
    return nh3.clean(_RENDERER.render(markdown), tags=ALLOWED, attributes={"ol": {"start"}}, url_schemes=set())


def with_anchors(html: str, prefix: str) -> tuple[str, list[dict[str, str]]]:
    """The HTML with an id for each section heading ('PREFIX-2'), and these sections: ``{"id", "title"}``."""
    found: list[dict[str, str]] = []

    def anchored(heading: re.Match[str]) -> str:
        title = unescape(_TAG.sub("", heading[1])).strip()
        found.append({"id": f"{prefix}-{len(found) + 1}", "title": title})
        return f'<h2 id="{escape(found[-1]["id"], quote=True)}" tabindex="-1">{heading[1]}</h2>'

    return _HEADING.sub(anchored, html), found


def without_sections(markdown: str, titles: Collection[str]) -> str:
    """The report without the second-level sections of these titles: what the chat shows in its own way."""
    parts = re.split(r"(?m)^(?=## )", markdown)
    return "".join(part for part in parts if part.partition("\n")[0].removeprefix("## ").strip() not in titles)


def plain_html(markdown: str) -> str:
    """HTML without chips; evidence keys, which mean nothing to people, are left out."""
    return report_html(KEY.sub("", markdown))


def draft_html(markdown: str) -> str:
    """HTML of a report still being written: evidence keys become marks that wait for their number."""
    text = KEY.sub(f"{_OPEN}0{_CLOSE}", markdown.replace(_OPEN, "").replace(_CLOSE, ""))
    return _PLACED.sub('<span class="rh-pending"></span>', _clean(text))


def chip(citation: Citation, quote: str = "") -> str:
    """A button that names its citation; what it shows and opens is looked up by the marker.

    ``quote``: the words it stands for where they are not the citation's own.
    """
    number = escape(citation.marker.strip("[]"), quote=True)
    state = "verified" if citation.verified else "unverified"
    where = escape(", ".join(part for part in (citation.title, citation.section_label) if part), quote=True)
    words = ESCAPED.sub(r"\1", " ".join(quote.split()))
    own = f' data-quote="{escape(words, quote=True)}"' if words else ""
    named = f'data-marker="{number}"{own} aria-label="{number}: {where}"'
    return f'<button type="button" class="rh-chip rh-{state}" {named}>{number}</button>'

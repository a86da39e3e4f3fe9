"""The report as sanitised HTML for the browser, with a chip for each citation.

Markdown from a model or a document is untrusted: the renderer escapes raw HTML, and the result is reduced to a list of
allowed elements without links, images, styles or scripts. Chips are inserted afterwards, from our own template.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from html import escape, unescape

import nh3
from markdown_it import MarkdownIt

from rabbithole.kb.notation.quotation_marks import quoted
from rabbithole.steps.report_models import Citation

ALLOWED = {
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "ul", "ol", "li", "strong", "em", "del", "code", "pre",
    "blockquote", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
KEY = re.compile(r"\s*\[e[0-9a-f]{4,}(?:\s*,\s*e[0-9a-f]{4,})*\]")
MARKER = re.compile(r"\[(\[(\d{1,4})\])\]\[s\2\]")  # the report's own markers [[3]][s3]; a bare "[3]" is document text
DEFINITION = re.compile(r"^\[s\d{1,4}\]: <[^>\n]*>.*$", re.MULTILINE)
LONGEST_QUOTE = 1600
QUOTED = re.compile(quoted(8, 1500) + r"[\s).,;]*$")
ESCAPED = re.compile(r"\\([^\w\s])")  # an escaped character that has a meaning in Markdown
_HEADING = re.compile(r"<h2>(.*?)</h2>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_OPEN, _CLOSE = "\ue000", "\ue001"
_PLACED = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_RENDERER = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def report_html(markdown: str, citations: Mapping[str, Citation] | None = None) -> str:
    """Return the HTML of the report. ``citations`` are by marker ('[3]').

    Markers without a citation, and bracketed numbers in a document's own text, stay plain text. If the report cites one
    place for several quotations, each chip opens the words quoted right before it.
    """
    known = citations or {}
    text = DEFINITION.sub("", markdown.replace(_OPEN, "").replace(_CLOSE, ""))
    chips: list[str] = []

    def placed(found: re.Match[str]) -> str:
        if found[1] not in known:
            return found[1]
        quote = QUOTED.search(text, max(0, found.start() - LONGEST_QUOTE), found.start())
        chips.append(chip(known[found[1]], quote[1] if quote else ""))
        return f"{_OPEN}{len(chips) - 1}{_CLOSE}"

    html = _clean(MARKER.sub(placed, text))
    return _PLACED.sub(lambda m: chips[int(m[1])], html)


def _clean(markdown: str) -> str:
    return nh3.clean(_RENDERER.render(markdown), tags=ALLOWED, attributes={"ol": {"start"}}, url_schemes=set())


def with_anchors(html: str, prefix: str) -> tuple[str, list[dict[str, str]]]:
    """Return the HTML with an id for each section heading ('PREFIX-2'), and the sections as ``{"id", "title"}``."""
    found: list[dict[str, str]] = []

    def anchored(heading: re.Match[str]) -> str:
        title = unescape(_TAG.sub("", heading[1])).strip()
        found.append({"id": f"{prefix}-{len(found) + 1}", "title": title})
        return f'<h2 id="{escape(found[-1]["id"], quote=True)}" tabindex="-1">{heading[1]}</h2>'

    return _HEADING.sub(anchored, html), found


def without_sections(markdown: str, titles: Collection[str]) -> str:
    """Return the report without the second-level sections with these titles, which the chat shows elsewhere."""
    parts = re.split(r"(?m)^(?=## )", markdown)
    return "".join(part for part in parts if part.partition("\n")[0].removeprefix("## ").strip() not in titles)


def plain_html(markdown: str) -> str:
    """Return HTML without chips and without evidence keys, which mean nothing to users."""
    return report_html(KEY.sub("", markdown))


def draft_html(markdown: str) -> str:
    """Return the HTML of a report still being written; evidence keys become placeholders for numbers."""
    text = KEY.sub(f"{_OPEN}0{_CLOSE}", markdown.replace(_OPEN, "").replace(_CLOSE, ""))
    return _PLACED.sub('<span class="rh-pending"></span>', _clean(text))


def chip(citation: Citation, quote: str = "") -> str:
    """Return a button for a citation; the browser looks up its content by the marker.

    ``quote`` is the quotation it belongs to, if that is not the citation's own.
    """
    number = escape(citation.marker.strip("[]"), quote=True)
    state = "verified" if citation.verified else "unverified"
    where = escape(", ".join(part for part in (citation.title, citation.section_label) if part), quote=True)
    words = ESCAPED.sub(r"\1", " ".join(quote.split()))
    own = f' data-quote="{escape(words, quote=True)}"' if words else ""
    named = f'data-marker="{number}"{own} aria-label="{number}: {where}"'
    return f'<button type="button" class="rh-chip rh-{state}" {named}>{number}</button>'

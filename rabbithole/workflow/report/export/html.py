"""The report as one self-contained HTML file: quotations on hover, the tree of references, readable in print."""

from __future__ import annotations

import html
import re
from pathlib import Path
from string import Template

import nh3
from markdown_it import MarkdownIt

from rabbithole.steps.models import Citation, Report
from rabbithole.steps.phrases import phrase
from rabbithole.workflow.report.markdown import appendix_links
from rabbithole.workflow.report.reference_tree import Branch, tree

TEMPLATE = Path(__file__).with_name("page.html")
# fmt: off
TAGS = {
    "h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "blockquote", "strong", "em", "code", "pre", "a", "br", "hr",
    "sup", "table", "thead", "tbody", "tr", "th", "td",
}
# fmt: on
CITATION = re.compile(r'<a href="[^"]*"[^>]*>\[(\d+)\]</a>')


def markdown_parser() -> MarkdownIt:
    """Return the parser for reports: tables, no raw HTML. It accepts every link; the renderer filters the schemes."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


def body_html(markdown: str) -> str:
    """Convert Markdown to sanitised HTML: no raw HTML, no scripts, links only to files and the web."""
    rendered = markdown_parser()
    return nh3.clean(
        rendered.render(markdown),
        tags=TAGS,
        attributes={"a": {"href", "title"}},
        url_schemes={"http", "https", "file"},
        link_rel="noopener noreferrer",
    )


def to_html(report: Report) -> str:
    """Return the whole page."""
    by_number = {one.marker.strip("[]"): one for one in report.citations}
    body = _with_quotes(report.markdown, by_number)
    if report.length == "normal" and report.appendix:
        # The page has the appendix in a collapsed section, instead of the line that sums it up.
        appendix = f"{report.appendix}\n\n{appendix_links(report, report.appendix)}"
        head = html.escape(phrase(report.language, "report.appendix.title"))
        body = body.replace(f"<p>{html.escape(report.outlook)}</p>", "")
        body += f"<details class='appendix'><summary>{head}</summary>{_with_quotes(appendix, by_number)}</details>"
    roots = tree(report.references)
    title = phrase(report.language, "report.tree.title")
    grown = f"<section class='tree'><h2>{html.escape(title)}</h2>{_branches(roots)}</section>" if roots else ""
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        language=report.language, title=html.escape(report.query), body=body, tree=grown
    )


def _with_quotes(markdown: str, by_number: dict[str, Citation]) -> str:
    return CITATION.sub(lambda match: _cited(match, by_number), body_html(markdown))


def _cited(match: re.Match[str], citations: dict[str, Citation]) -> str:
    """Return the citation's link with its quotation as a tooltip."""
    citation = citations.get(match.group(1))
    if citation is None or not citation.quote:
        return match.group(0)
    tip = f"<span class='tip' role='tooltip'>{html.escape(citation.quote)}</span>"
    return f"<span class='cite' tabindex='0'>{match.group(0)}{tip}</span>"


def _branches(branches: tuple[Branch, ...]) -> str:
    items = "".join(
        f"<li class='{one.status}'>{_via(one)}<b>{html.escape(one.label)}</b>{_branches(one.branches)}</li>"
        for one in branches
    )
    return f"<ul>{items}</ul>" if items else ""


def _via(branch: Branch) -> str:
    if not branch.via:
        return ""
    return f"<span class='via' title='{html.escape(branch.reason, quote=True)}'>{html.escape(branch.via)} → </span>"

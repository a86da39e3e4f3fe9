"""The report as one self-contained HTML file: quotations on hover, the tree of references, readable in print."""

from __future__ import annotations

import html
import re
from functools import partial
from pathlib import Path
from string import Template

from rabbithole.steps.phrases import phrase
from rabbithole.steps.report_models import Citation, Report
from rabbithole.workflow.report.markdown import appendix_links
from rabbithole.workflow.report.reference_tree import Branch, tree

from .front import front_html
from .outline import Heading, contents_html, outlined

TEMPLATE = Path(__file__).with_name("page.html")
CITATION = re.compile(r'<a href="[^"]*"[^>]*>\[(\d+)\]</a>')


def to_html(report: Report) -> str:
    """Return the whole page."""
    say = partial(phrase, report.language)
    by_number = {one.marker.strip("[]"): one for one in report.citations}
    text = report.markdown
    if collapsed := report.length == "normal" and bool(report.appendix):
        # The page has the appendix in a collapsed section, instead of the line that sums it up.
        text = text.replace(f"\n{report.outlook}\n", "\n") if report.outlook else text
    page = outlined(text)
    headings, body = list(page.contents), _with_quotes(page.html, by_number)
    if collapsed:
        appendix = outlined(f"{report.appendix}\n\n{appendix_links(report, report.appendix)}", "a")
        headings.append(Heading(1, "appendix", say("report.appendix.title")))
        # The id is inside, because a browser unfolds the section only for a link to something in it.
        body += f"<details class='appendix'><summary>{html.escape(headings[-1].title)}</summary><div id='appendix'>"
        body += f"{_with_quotes(appendix.html, by_number)}</div></details>"
    roots, grown = tree(report.references), ""
    if roots:
        headings.append(Heading(1, "tree", say("report.tree.title")))
        head = f"<h2 id='tree'>{html.escape(headings[-1].title)}</h2>"
        grown = f"<section class='tree'>{head}{_branches(roots)}</section>"
    above, end, rest = body.partition("</h1>")
    listed = f"<nav class='contents' aria-label='{say('report.contents.title')}'>{contents_html(headings)}</nav>"
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        language=report.language,
        title=html.escape(page.title or report.query),
        body=f"{above}{end}{front_html(report)}{listed}{rest}",
        tree=grown,
    )


def _with_quotes(page: str, by_number: dict[str, Citation]) -> str:
    return CITATION.sub(lambda match: _cited(match, by_number), page)


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

"""The report as Markdown: the answer, sources, checks and appendix.

Identical runs give identical text: it contains no times and no run ids.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rabbithole.steps.citation_links import link
from rabbithole.steps.citation_styles import numbered_title
from rabbithole.steps.models import Evidence
from rabbithole.steps.page_names import cited_pages, section_beside
from rabbithole.steps.phases.attribute import Attributed
from rabbithole.steps.phrases import counted, phrase, share
from rabbithole.steps.report_models import Checks, Citation, Length, Report, ReportAnswer
from rabbithole.steps.response import Response
from rabbithole.steps.response.caveat import reserved
from rabbithole.steps.sanitise import sanitise_markdown

from .plain_text import plain
from .unread import unread_said

WARNINGS = 3
_NUMBER = re.compile(r"\]\[s(\d+)\]")
_CITED = re.compile(r"\[(\[\d+\])\]\[s\d+\]")
_DEFINITION = re.compile(r"^\[s(\d+)\]: <([^\n>]*)>[^\n]*\n?", re.MULTILINE)
_ANSWER = re.compile(r"\A(?:# [^\n]*\n+)?(?:> [^\n]*\n+)?(?:## [^\n]*\n)?(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)


def body_markdown(report: Report, attributed: Attributed, external: Sequence[Evidence]) -> str:
    """Return the attributed text with a title and the external results.

    Citations are links ``[[n]][sn]``; their definitions come at the end of the report.
    """
    body = sanitise_markdown(attributed.markdown).strip()  # documents and models may write links and HTML
    if not body.startswith("# "):
        body = f"# {plain(report.query)}\n\n{body}"
    if report.partial:
        title, _, rest = body.partition("\n")
        body = f"{title}\n\n> {phrase(report.language, 'report.partial')}\n{rest}"
    return "\n\n".join(part for part in (body, _external(report, external)) if part)


def render(report: Report, length: Length = "normal") -> str:
    """Return the whole report as Markdown: ``short`` has only the answer as its body, ``full`` adds the appendix."""
    body = report.body if length != "short" else f"# {plain(report.query)}\n\n{report.answer.text}"
    appendix = report.appendix if length == "full" else ""
    numbers = set(_NUMBER.findall(body + appendix))
    cited = [one for one in report.citations if one.marker.strip("[]") in numbers]
    parts = [body, _sources(report, cited), _checks(report, length)]
    if appendix:
        parts.append(f"## {phrase(report.language, 'report.appendix.title')}\n\n{appendix}")
    elif length == "normal":
        parts.append(report.outlook)
    parts.append(_links(cited))
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def for_terminal(markdown: str) -> str:
    """Return a report for reading where links to documents lead nowhere: its sources name document and page.

    The addresses of web pages are kept.
    """

    def kept(found: re.Match[str]) -> str:
        return f"[{found[1]}] {found[2]}\n" if found[2].startswith(("https://", "http://")) else ""

    return _DEFINITION.sub(kept, _CITED.sub(r"\1", markdown)).rstrip() + "\n"


def at_length(report: Report, length: Length) -> Report:
    """Return the report with its Markdown at another length; reports of older versions stay as they are."""
    if length == report.length or not report.body:
        return report
    return report.model_copy(update={"markdown": render(report, length), "length": length})


def with_note(body: str, note: str) -> str:
    """Return a report with a sentence at the end of its first section."""
    found = _ANSWER.match(body)
    at = found.end(1) if found else len(body)
    return "\n\n".join(part for part in (body[:at].rstrip(), note, body[at:].lstrip()) if part)


def answer_section(body: str) -> str:
    """Return the first section of a report, without title and heading."""
    found = _ANSWER.match(body)
    return found.group(1).strip() if found else ""


def answer_of(body: str, citations: Sequence[Citation], response: Response) -> ReportAnswer:
    """Return the answer as an object: the first section of the body with its citations."""
    text = answer_section(body)
    numbers = set(_NUMBER.findall(text))
    return ReportAnswer(
        status=response.status,
        text=text,
        citations=tuple(one for one in citations if one.marker.strip("[]") in numbers),
        probability=response.probability,
        likeliest=max((block.probability for block in response.blocks), default=None),
        absent=response.absent,
    )


def checks_of(attributed: Attributed, response: Response) -> Checks:
    """Return the facts a reader can check: verified quotations, parts answered, whether the newest edition is read."""
    return Checks(
        quotations=attributed.quotations,
        quotations_verified=attributed.quotations - len(attributed.unverified),
        parts=response.parts,
        parts_answered=response.answered,
        parts_reserved=reserved(response),
        newest=response.newest,
    )


def appendix_links(report: Report, text: str, known: Collection[str] = ()) -> str:
    """Return the link definitions that ``text`` needs, except those of the numbers in ``known``."""
    numbers = set(_NUMBER.findall(text)) - set(known)
    return _links([one for one in report.citations if one.marker.strip("[]") in numbers])


def _heading(report: Report, key: str) -> str:
    return f"## {phrase(report.language, f'report.{key}.title')}\n\n"


def _external(report: Report, external: Sequence[Evidence]) -> str:
    if not external:
        return ""
    lines = [f"- {plain(one.title)} ({plain(one.external)}): {plain(one.info)}" for one in external]
    return _heading(report, "external") + phrase(report.language, "report.external.lead") + "\n\n" + "\n".join(lines)


def _sources(report: Report, cited: Sequence[Citation]) -> str:
    """Return the sources, a line a document with the places cited from it."""
    if not cited:
        return ""
    places: dict[str, list[str]] = {}
    for one in cited:
        number = one.marker.strip("[]")
        file = f" ({plain(one.file)})" if one.file and one.file != one.title else ""
        section = section_beside(one.section_label, one.title)
        page = "" if one.external else cited_pages(one, report.language)
        mark = "" if one.verified or one.external else " " + phrase(report.language, "report.mark.unverified")
        where = ", ".join(part for part in (plain(section), page) if part)
        places.setdefault(f"{plain(numbered_title(one))}{file}", []).append(
            f"[[{number}]][s{number}] {where}{mark}".strip()
        )
    lines = [f"- {document}: {'; '.join(named)}" for document, named in places.items()]
    return _heading(report, "sources") + "\n".join(lines)


def _checks(report: Report, length: Length) -> str:
    """Return the section on checks: the checkable facts, the reasoner and the warnings."""
    language, facts = report.language, report.checks
    said = phrase(language, "report.checks.facts", facts=facts_said(facts, language))
    if facts.newest is not None:
        said += " " + phrase(language, "report.checks.newest" if facts.newest else "report.checks.older")
    named = phrase(language, "report.checks.reasoner", reasoner=plain(report.reasoner))
    by = phrase(language, "report.checks.extractive") if report.reasoner == "extractive" else named
    # Nothing was looked up for a greeting, so there is nothing to check.
    looked = facts.parts or facts.quotations or report.answer.absent
    lines = [said, *_searched(report), *_unread(report), by] if looked else []
    if report.metrics.unsourced:
        lines.append(phrase(language, "report.checks.reasoning", count=report.metrics.unsourced))
    warnings = [plain(warning) for warning in report.warnings]
    lines += warnings if length == "full" else warnings[:WARNINGS]
    if length != "full" and len(warnings) > WARNINGS:
        lines.append(phrase(language, "report.more", count=len(warnings) - WARNINGS))
    return _heading(report, "checks") + "\n".join(f"- {line}" for line in lines) if lines else ""


def facts_said(facts: Checks, language: str) -> str:
    """Return in words how many quotations were verified and how many parts of the question were answered."""
    quotations = share(language, "report.checks.quotations", facts.quotations_verified, facts.quotations)
    return f"{quotations}; {parts_said(facts, language)}"


def parts_said(facts: Checks, language: str) -> str:
    """Return in words how many parts are answered without reservation, how many with, and how many not surely."""
    sure, less = facts.parts_answered, facts.parts_reserved
    unsure = facts.parts - sure - less
    if sure or not facts.parts:
        said = share(language, "report.checks.parts", sure, facts.parts)
        also = phrase(language, "report.checks.also_reserved", count=less) if less else ""
    elif less:
        said, also = share(language, "report.checks.reserved", less, facts.parts), ""
    else:
        return counted(language, "report.checks.unsure", facts.parts)
    return said + also + (phrase(language, "report.checks.also_unsure", count=unsure) if unsure else "")


def _searched(report: Report) -> list[str]:
    """Return what was searched, if that was not enough for an answer."""
    if report.answer.status != "none" or not report.scope.searched:
        return []
    names = plain(", ".join(report.scope.collections))
    return [counted(report.language, "report.checks.searched", report.scope.searched, collections=names)]


def _unread(report: Report) -> list[str]:
    """Return which files could not be read, unless the answer says so already."""
    said = unread_said(report.scope.unread, report.language)
    return [said] if said and said not in report.body else []


def _links(citations: Sequence[Citation]) -> str:
    """Return the link definitions of the citation numbers."""
    lines = []
    for one in citations:
        number = one.marker.strip("[]")
        lines.append(f"[s{number}]: <{link(one, one.path)}>")
    return "\n".join(lines)

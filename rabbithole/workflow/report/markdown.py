"""The report as Markdown: the writer's body, then what the product itself has to say. Nothing that differs between
identical runs: no times, no run ids."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.models import Citation, Evidence, Report
from rabbithole.steps.phases.attribute import Attributed, link
from rabbithole.steps.phases.page_names import page_name
from rabbithole.steps.phrases import phrase
from rabbithole.steps.sanitise import sanitise_markdown

from .reference_graph import NotLooked

MOST_MISSING = 25
LONGEST_NAME = 140
ADDRESS = re.compile(r"<?\bhttps?://\S+>?")
MOST_CITED_BY = 3
MOST_REASONS = 12
MOST_PLACES = 8
MOST_WEAK = 10


def assemble(report: Report, attributed: Attributed, skipped: Sequence[NotLooked], external: Sequence[Evidence]) -> str:
    """The whole report. Citations are links ``[[n]][sn]`` whose targets stand at the end."""
    body = sanitise_markdown(attributed.markdown).strip()  # documents and models may write links and HTML
    if not body.startswith("# "):
        body = f"# {plain(report.query)}\n\n{body}"
    if report.partial:
        title, _, rest = body.partition("\n")
        body = f"{title}\n\n> {phrase(report.language, 'report.partial')}\n{rest}"
    parts = [body, _missing(report), _skipped(report, skipped), _external(report, external)]
    parts += [_sources(report), _checks(report, attributed), _links(report.citations)]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def plain(text: str) -> str:
    """Text of documents and people as one line that Markdown leaves as it is: no links, no HTML, no emphasis.

    An address becomes code: left bare, many readers make a link of it.
    """
    parts = re.split(f"({ADDRESS.pattern})", " ".join(text.split()))
    return "".join(
        f"`{part.replace('`', '')}`" if at % 2 else re.sub(r"([\\`*_<>\[\]|])", r"\\\1", part)
        for at, part in enumerate(parts)
    )


def short_name(name: str) -> str:
    """A document's name short enough for a list: an entry of a list of literature without its addresses."""
    flat = " ".join(ADDRESS.sub("", name).split()).rstrip(" ,.")
    return flat if len(flat) <= LONGEST_NAME else flat[: LONGEST_NAME - 1].rsplit(" ", 1)[0] + " …"


def _heading(report: Report, key: str) -> str:
    return f"## {phrase(report.language, f'report.{key}.title')}\n\n"


def _missing(report: Report) -> str:
    if report.mode == "plain" or not any(report.evidence.values()):  # nothing was read that could refer to anything
        return ""
    language = report.language
    if not report.missing:
        return _heading(report, "missing") + phrase(language, "report.missing.none")
    lines = []
    for one in report.missing[:MOST_MISSING]:
        cited = "; ".join(plain(label) for label in one.cited_by[:MOST_CITED_BY])
        if len(one.cited_by) > MOST_CITED_BY:
            cited += "; " + phrase(language, "report.more", count=len(one.cited_by) - MOST_CITED_BY)
        lines.append(f"- {phrase(language, 'report.missing.item', name=plain(short_name(one.name)), cited_by=cited)}")
    if len(report.missing) > MOST_MISSING:
        lines.append(f"- {phrase(language, 'report.more', count=len(report.missing) - MOST_MISSING)}")
    return _heading(report, "missing") + phrase(language, "report.missing.lead") + "\n\n" + "\n".join(lines)


def _skipped(report: Report, skipped: Sequence[NotLooked]) -> str:
    if not skipped:
        return ""
    language = report.language
    lines = []
    for one in skipped[:MOST_REASONS]:
        places = "; ".join(plain(place) for place in one.places[:MOST_PLACES])
        if len(one.places) > MOST_PLACES:
            places += "; " + phrase(language, "report.more", count=len(one.places) - MOST_PLACES)
        lines.append(f"- {plain(one.reason).rstrip('.:')}: {places}")
    rest = sum(len(one.places) for one in skipped[MOST_REASONS:])
    if rest:
        lines.append(f"- {phrase(language, 'report.skipped.rest', count=rest)}")
    return _heading(report, "skipped") + "\n".join(lines)


def _external(report: Report, external: Sequence[Evidence]) -> str:
    if not external:
        return ""
    lines = [f"- {plain(one.title)} ({plain(one.external)}): {plain(one.info)}" for one in external]
    return _heading(report, "external") + phrase(report.language, "report.external.lead") + "\n\n" + "\n".join(lines)


def _sources(report: Report) -> str:
    if not report.citations:
        return ""
    lines = []
    for one in report.citations:
        number = one.marker.strip("[]")
        where = ", ".join(plain(part) for part in (one.title or one.file, one.section_label) if part)
        page = "" if one.external else f", {page_name(one.page, one.page_label, report.language)}"
        mark = "" if one.verified or one.external else " " + phrase(report.language, "report.mark.unverified")
        file = f" ({plain(one.file)})" if one.file and one.file != one.title else ""
        lines.append(f"- [[{number}]][s{number}] {where}{page}{file}{mark}")
    return _heading(report, "sources") + "\n".join(lines)


def _checks(report: Report, attributed: Attributed) -> str:
    """Which reasoner wrote, what was verified, what is weak, what was degraded."""
    language = report.language
    verified = sum(one.verified for one in report.citations)
    lines = [
        phrase(language, "report.checks.reasoner", reasoner=plain(report.reasoner)),
        phrase(language, "report.checks.citations", verified=verified, total=len(report.citations)),
        phrase(
            language,
            "report.checks.quotations",
            verified=attributed.quotations - len(attributed.unverified),
            total=attributed.quotations,
        ),
    ]
    if attributed.uncited:
        lines.append(phrase(language, "report.checks.reasoning", count=len(attributed.uncited)))
    if report.quality is not None:
        lines.append(phrase(language, "report.checks.quality", total=report.quality.total))
    lines += [plain(warning) for warning in report.warnings]
    text = "\n".join(f"- {line}" for line in lines)
    if report.weak:
        weak = [f"  - {one.marker} {plain(one.text)[:300]}" for one in report.weak[:MOST_WEAK]]
        text += f"\n- {phrase(language, 'report.checks.weak', count=len(report.weak))}\n" + "\n".join(weak)
    return _heading(report, "checks") + text


def _links(citations: Sequence[Citation]) -> str:
    """Link definitions: where each number leads."""
    lines = []
    for one in citations:
        number = one.marker.strip("[]")
        title = " ".join(part for part in (one.file, one.section_label) if part).replace('"', "'").replace("\\", "/")
        lines.append(f'[s{number}]: <{link(one, one.path)}> "{" ".join(title.split())}"')
    return "\n".join(lines)

"""The sources of a report and the documents it lists as missing, for reference managers."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from rabbithole.kb.works_export import Work
from rabbithole.steps.page_names import cited_pages
from rabbithole.steps.report_models import Citation, Report

_NOT_IN_KEYS = re.compile(r"[^A-Za-z0-9]+")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")


def works_of(report: Report) -> list[Work]:
    """Return one work per cited document, with the cited places in its note, then the missing documents."""
    cited: dict[str, list[Citation]] = {}
    for citation in report.citations:
        cited.setdefault(citation.external or citation.document, []).append(citation)
    works = [_cited(citations, number, report.language) for number, citations in enumerate(cited.values(), 1)]
    return works + [
        Work(key=f"missing{number}", title=one.name, year=_year(one.name), note="cited there and not held")
        for number, one in enumerate(report.missing, 1)
    ]


def _cited(citations: list[Citation], number: int, language: str) -> Work:
    first = citations[0]
    stem = _NOT_IN_KEYS.sub("", PurePosixPath(first.file).stem) or "source"
    if first.external:
        return source_work(first, f"web{number}")
    places = [f"{one.marker} {one.section_label}, {cited_pages(one, language)}".replace(" ,", ",") for one in citations]
    work = source_work(first, f"{stem}{number}")
    return work.model_copy(update={"note": f"{first.file}: {'; '.join(places)}"})


def source_work(citation: Citation, key: str) -> Work:
    """Return the cited work with its known bibliographic data."""
    title, known = citation.title or citation.file, citation.work
    if citation.external:
        return Work(key=key, title=title, url=citation.external)
    return Work(
        key=key,
        title=title,
        kind=known.get("kind", "work"),
        authors=tuple(part.strip() for part in citation.author.split(";") if part.strip()),
        year=_year(citation.year) or _year(title),
        container=known.get("container", ""),
        publisher=known.get("publisher", ""),
        volume=known.get("volume", ""),
        doi=known.get("doi", ""),
    )


def _year(text: str) -> int | None:
    found = _YEAR.findall(text)
    return int(found[-1]) if found else None

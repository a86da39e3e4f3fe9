"""Write a report to a file; the suffix chooses the format."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import ValidationError

from rabbithole.kb.errors import RabbitholeError, UsageError
from rabbithole.kb.works_export import to_bibtex, to_csl, to_ris
from rabbithole.steps.citation_links import link, seen_from
from rabbithole.steps.report_models import Report
from rabbithole.workflow.settings import load_settings

from .html_page import to_html
from .obsidian import to_obsidian
from .pdf import to_pdf
from .word_document import to_word
from .works import works_of

FORMATS: Mapping[str, Callable[[Report], bytes]] = {
    ".md": lambda report: markdown(report).encode(),
    ".json": lambda report: (report.model_dump_json(indent=2) + "\n").encode(),
    ".html": lambda report: to_html(report).encode(),
    ".pdf": to_pdf,
    ".docx": lambda report: to_word(report, load_settings().research.citation_style),
    ".bib": lambda report: to_bibtex(works_of(report)).encode(),
    ".ris": lambda report: to_ris(works_of(report)).encode(),
    ".csl": lambda report: to_csl(works_of(report)).encode(),
}

LINKING = frozenset({".md", ".html", ".docx", ".pdf"})
"""Formats for people, with links to the sources; the others are read by programs, on any machine."""


def markdown(report: Report) -> str:
    """Return the report's Markdown, with links in the style set by MARKDOWN_LINKS."""
    return to_obsidian(report) if load_settings().research.markdown_links == "obsidian" else report.markdown


class ExportError(RabbitholeError):
    """The report could not be written to its file."""


def check_suffix(path: Path) -> None:
    """Raise ``UsageError`` if the suffix is not a known format. Call it before a long run."""
    if path.suffix.lower() not in FORMATS:
        known = ", ".join(FORMATS)
        raise UsageError(f"Reports can be written as {known}; {path.name!r} has none of these suffixes.")


def export(report: Report, path: Path, documents: Mapping[str, Path] | None = None) -> None:
    """Write the report in the format of the suffix, atomically. Raises ``UsageError`` or ``ExportError``.

    ``documents`` are the places of documents on this machine, by id: links lead there from the folder of ``path``.
    Without it they lead to places in the collection, which tell nothing about the machine.
    """
    check_suffix(path)
    if documents and path.suffix.lower() in LINKING:
        report = placed(report, path.absolute().parent, documents)
    content = FORMATS[path.suffix.lower()](report)
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise ExportError(
            f"The report could not be written to {path}: {error.strerror or error}. It is saved with its run: "
            f"`rabbithole resume {report.run_id} --out FILE` writes it elsewhere."
        ) from error


def placed(report: Report, folder: Path, documents: Mapping[str, Path]) -> Report:
    """Return the report with the paths of its sources, and the links to them, as seen from a folder."""
    citations = tuple(
        one.model_copy(update={"path": seen_from(documents[one.document], folder)})
        if one.document in documents and not one.external
        else one
        for one in report.citations
    )
    links = {
        f"<{link(old, old.path)}>": f"<{link(new, new.path)}>"
        for old, new in zip(report.citations, citations, strict=True)
    }
    markdown = report.markdown
    for old, new in links.items():
        markdown = markdown.replace(old, new)
    return report.model_copy(update={"citations": citations, "markdown": markdown})


def load_report(path: Path) -> Report:
    """Read a report that was written as JSON. Raises ``UsageError``."""
    try:
        return Report.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"The report {path} cannot be read: {error.strerror or error}.") from error
    except (ValidationError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not a Rabbithole report; give the JSON file that --out wrote.") from error

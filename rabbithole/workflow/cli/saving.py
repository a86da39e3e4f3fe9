"""Saves reports as files whose links lead to the documents, and tells where they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.citation_links import seen_from
from rabbithole.steps.report_models import Report
from rabbithole.workflow.report.export.report_files import LINKING, export, placed
from rabbithole.workflow.settings import load_settings


def save(report: Report, files: Sequence[Path], kb: Path) -> tuple[str, ...]:
    """Write the report to each file. Returns the keys of phrases on its links that the person should know.

    With REPORT_PATHS=saved, which is the default, the links lead to the documents from where each file is saved.
    """
    linking = [path for path in files if path.suffix.lower() in LINKING]
    cited = _cited(report)
    paths = load_settings().research.report_paths
    places = document_places(kb, cited) if linking and cited and paths == "saved" else {}
    for path in files:
        export(report, path, places)
    if not linking or not cited or paths == "absolute":
        return ()
    folders = {path.absolute().parent for path in linking}
    if paths == "relative":
        dead = any(not (folder / path).exists() for folder in folders for path in cited.values())
        return ("cli.links.portable",) if dead else ()
    outside = any(seen_from(place, folder).startswith("../") for place in places.values() for folder in folders)
    gone = len(places) < len(cited)
    return (*(("cli.links.gone",) if gone else ()), *(("cli.links.outside",) if outside else ()))


def as_printed(report: Report, kb: Path) -> Report:
    """Return the report with links to the documents as seen from the working directory, if REPORT_PATHS=saved."""
    cited = _cited(report)
    if not cited or load_settings().research.report_paths != "saved":
        return report
    return placed(report, Path.cwd(), document_places(kb, cited))


def _cited(report: Report) -> dict[str, str]:
    """Return the paths of the documents that a report cites, by their ids."""
    return {one.document: one.path for one in report.citations if one.path and not one.external}


def document_places(kb: Path, documents: Mapping[str, str]) -> Mapping[str, Path]:
    """Return where documents lie on this machine, by id; those that are not there any more are left out."""
    with KnowledgeBase.open(kb, load_settings().kb) as base:
        held = [document for one in documents if (document := base.held(one)) is not None]
    return {one.id: Path(one.path) for one in held if Path(one.path).exists()}

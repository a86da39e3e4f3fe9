"""Check the installation and suggest remedies: model server, embeddings, knowledge base, OCR, disk."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from rabbithole.kb.errors import RabbitholeError
from rabbithole.kb.ingest.page.ocr import INSTALL, ocr_available
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.encoders.embedding_models import make_embedder, model_name
from rabbithole.kb.store.index.index_choice import described
from rabbithole.steps.reasoning.client.probe import probe
from rabbithole.steps.reasoning.text.check_result import CheckResult
from rabbithole.workflow.settings import Settings

NEEDED_DISK = 2 * 1024**3
Check = Callable[[Settings, Path], Iterator[CheckResult]]


def examine(settings: Settings, kb: Path) -> Iterator[CheckResult]:
    """Yield the result of each check as soon as it is known, in the order in which problems should be fixed."""
    for check in (python, reasoner, embeddings, knowledge_base, ocr, disk):
        yield from check(settings, kb)


def python(_settings: Settings, _kb: Path) -> Iterator[CheckResult]:
    yield CheckResult(name="python", status="ok", detail=sys.version.split()[0])


def reasoner(settings: Settings, _kb: Path) -> Iterator[CheckResult]:
    """Check server, model, context window, structured output and speed; see ``steps.reasoning.client.probe``."""
    yield from probe(settings.reasoner)


def embeddings(settings: Settings, _kb: Path) -> Iterator[CheckResult]:
    try:
        embedder = make_embedder(model_name(settings.kb, None), settings.kb)
        dimension = embedder.embed(["Grenzwerte der effektiven Dosis"]).shape[1]
    except RabbitholeError as error:
        remedy = "set EMBEDDING_MODEL=auto, or download that model to this machine"
        yield CheckResult(name="embeddings", status="fail", detail=str(error), remedy=remedy)
        return
    yield CheckResult(name="embeddings", status="ok", detail=f"{embedder.name}, {dimension} dimensions")


def knowledge_base(settings: Settings, kb: Path) -> Iterator[CheckResult]:
    if not kb.exists():
        remedy = "rabbithole ingest FOLDER --collection NAME"
        yield CheckResult(
            name="knowledge base", status="warn", detail=f"there is no knowledge base at {kb} yet", remedy=remedy
        )
        return
    try:
        with KnowledgeBase.open(kb, settings.kb) as base:
            collections = base.collections()
            wrong = base.check()
            where = f"vectors {described(base.store.vector_kind)}"
    except RabbitholeError as error:
        remedy = (
            "choose another knowledge base with --kb, or run `rabbithole kb rebuild` if EMBEDDING_MODEL was changed"
        )
        yield CheckResult(name="knowledge base", status="fail", detail=str(error), remedy=remedy)
        return
    if wrong:
        yield CheckResult(name="knowledge base", status="fail", detail=wrong[0], remedy="rabbithole kb repair")
        return
    held = ", ".join(f"{info.name} ({info.documents} documents, {info.chunks} chunks)" for info in collections)
    yield CheckResult(name="knowledge base", status="ok", detail=f"{held or 'empty'}; {where}")


def ocr(settings: Settings, _kb: Path) -> Iterator[CheckResult]:
    if settings.kb.ocr == "never":
        yield CheckResult(name="OCR", status="ok", detail="disabled by OCR=never")
    elif ocr_available():
        yield CheckResult(name="OCR", status="ok", detail=f"ocrmypdf, languages {settings.kb.ocr_languages}")
    else:
        detail = "not installed; scanned pages are reported but not read"
        yield CheckResult(name="OCR", status="warn", detail=detail, remedy=INSTALL)


def disk(_settings: Settings, kb: Path) -> Iterator[CheckResult]:
    place = next(parent for parent in (kb.absolute(), *kb.absolute().parents) if parent.exists())
    free = shutil.disk_usage(place).free
    detail = f"{free / 1024**3:.1f} GB free at {place}"
    if free < NEEDED_DISK:
        yield CheckResult(
            name="disk", status="warn", detail=detail, remedy="free some space, or choose another folder with --kb"
        )
    else:
        yield CheckResult(name="disk", status="ok", detail=detail)

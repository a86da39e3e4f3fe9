"""A small knowledge base and a chat around it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from chat.scripted import ScriptedLaunch
from pdfs import write_pdf

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.chat.runs.history import History
from rabbithole.workflow.chat.runs.manager import RunManager

PAGES = {
    "filters.pdf": (
        "1 Filters of laboratories\n\nEvery filter is tested once a year under § 12 of the Air Act.\n"
        "The retention of iodine must reach 99 percent in hu-\nmid air.",
        "2 Records of tests\n\nRecords are kept for ten years as section 1 demands.",
    ),
    "air.pdf": (
        "§ 11 Air of laboratories\n\nThe exhaust air is filtered.\n\n§ 12 Tests of filters\n\n"
        "Tests follow the manual of filters, section 2.",
    ),
}


@pytest.fixture(scope="session")
def small_kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """Two documents of three pages in the collection 'Rules', with deterministic vectors."""
    folder = tmp_path_factory.mktemp("chat")
    paths = [
        write_pdf(
            folder / "pdf" / name,
            pages,
            title={"filters.pdf": "Manual of filters", "air.pdf": "Air Act"}[name],
            toc=[(1, "1 Filters of laboratories", 1), (1, "2 Records of tests", 2)] if name == "filters.pdf" else (),
        )
        for name, pages in PAGES.items()
    ]
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as kb:
        kb.ingest(paths, "Rules")
        yield kb


@pytest.fixture
def kb_copy(small_kb: KnowledgeBase, tmp_path: Path) -> Iterator[KnowledgeBase]:
    """A copy of ``small_kb`` that a test may change."""
    folder = shutil.copytree(small_kb.folder, tmp_path / "copy")
    with KnowledgeBase.open(folder, KbSettings(_env_file=None, embedding_model="hash")) as opened:
        yield opened


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History(tmp_path / "chat.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def launch(small_kb: KnowledgeBase) -> ScriptedLaunch:
    return ScriptedLaunch(small_kb, pace=0.005)


@pytest.fixture
def manager(history: History, launch: ScriptedLaunch) -> Iterator[RunManager]:
    made = RunManager(history, launch)
    yield made
    asyncio.run(made.loop_thread.close())

"""Folders shared by all processes of ``-n``: the first process that needs one makes it, the others copy it."""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from rabbithole.kb import KbSettings, KnowledgeBase


def sample_builder() -> Any:
    """The module that makes the sample's PDFs."""
    return importlib.import_module("rabbithole.kb.sample.build")


def made_once(tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return this process's copy of a folder that ``make`` fills once for all processes of ``-n``."""
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / f"made-once-{name}"
    with FileLock(f"{shared}.lock"):
        if not shared.exists():
            part = shared.with_name(f"{shared.name}.part")
            make(part)
            part.rename(shared)
    return Path(shutil.copytree(shared, tmp_path_factory.mktemp("own") / name))


def sample_base(tmp_path_factory: pytest.TempPathFactory, pdfs: Path, collection: str) -> Path:
    """Folder of a knowledge base with the sample collection under this name."""

    def ingest(folder: Path) -> None:
        with KnowledgeBase.open(folder / "database", KbSettings(embedding_model="hash"), create=True) as kb:
            assert not kb.ingest([pdfs], collection).skipped

    return made_once(tmp_path_factory, f"base-{collection}", ingest) / "database"

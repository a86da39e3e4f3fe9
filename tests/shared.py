"""What all processes of ``-n`` share: made by the first that needs it, copied by the others."""

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
    """This process's copy of a folder ``make`` fills, which the processes of ``-n`` make once among them."""
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

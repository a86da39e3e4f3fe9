"""Objects that many tests share: the sample collection, built once."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from postgres import postgres_address, postgres_server  # noqa: F401 - fixtures
from shared import made_once, sample_base, sample_builder
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "rabbithole" / "kb" / "sample"

# An example that takes long says how busy the machine is.
settings.register_profile("no-clock", deadline=None)
settings.load_profile("no-clock")

# No test may pick up a person's settings, a model server or the network.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["EMBEDDING_MODEL"] = "hash"
os.environ["REASONER"] = "extractive"
os.environ["RABBITHOLE_HOME"] = tempfile.mkdtemp(prefix="rabbithole-home-")
# Every process the tests start would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["CHAINLIT_APP_ROOT"] = tempfile.mkdtemp(prefix="rabbithole-frame-")  # where it writes its translations


BROWSER = "tests/chat/browser/"
WHOLE_FILES = (
    "tests/security/",
    "tests/workflow/run/test_durability.py",
    "tests/workflow/run/test_resume.py",
    "tests/steps/",
    "tests/kb/store/test_embeddings.py",
    "tests/kb/test_local_models.py",
)


class FilesOrTests(LoadScopeScheduling):  # type: ignore[misc]
    """With ``-n``: every test for itself, but those of some files one after the other.

    Those that attack a server stay with the server they started, those that load a model with each other, and others
    with the knowledge base or the undisturbed run they all need.
    """

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0] if nodeid.startswith(WHOLE_FILES) else nodeid


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest first, so that no process waits for another at the end, and those with a browser together."""
    kinds = (BROWSER, *WHOLE_FILES)

    def place(item: pytest.Item) -> int:
        return next((number for number, start in enumerate(kinds) if item.nodeid.startswith(start)), len(kinds))

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FilesOrTests:
    config.option.loadscopereorder = False
    return FilesOrTests(config, log)


@pytest.fixture(scope="session")
def sample_pdfs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the PDFs of the sample collection and their ``metadata.csv``."""
    return made_once(tmp_path_factory, "pdf", sample_builder().build)


@pytest.fixture(scope="session")
def sample_gold() -> list[dict[str, Any]]:
    """The questions of ``kb/sample/gold.json``."""
    questions: list[dict[str, Any]] = json.loads((SAMPLE / "gold.json").read_text(encoding="utf-8"))["questions"]
    return questions


@pytest.fixture(scope="session")
def sample_database(sample_pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a knowledge base with the sample collection, for tests that only read it."""
    return sample_base(tmp_path_factory, sample_pdfs, "sample")

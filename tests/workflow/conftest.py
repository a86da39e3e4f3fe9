from collections.abc import Iterator
from pathlib import Path

import pytest
from shared import sample_base

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore


@pytest.fixture(scope="session")
def sample_kb(sample_pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """The sample collection with the small embedding for tests."""
    folder = sample_base(tmp_path_factory, sample_pdfs, "Sample")
    with KnowledgeBase.open(folder, KbSettings(_env_file=None, embedding_model="hash")) as kb:
        yield kb


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[RunStore]:
    store = SqliteRunStore(tmp_path / "runs.sqlite")
    yield store
    store.close()

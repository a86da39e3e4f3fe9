from collections.abc import Iterator
from pathlib import Path

import pytest

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.run.store import RunStore


@pytest.fixture(scope="session")
def sample_kb(sample_pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """The sample collection with the small embedding for tests."""
    folder = tmp_path_factory.mktemp("sample_kb") / "database"
    with KnowledgeBase.open(folder, KbSettings(_env_file=None, embedding_model="hash"), create=True) as kb:
        kb.ingest([sample_pdfs], "Sample")
        yield kb


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[RunStore]:
    store = RunStore(tmp_path / "runs.sqlite")
    yield store
    store.close()

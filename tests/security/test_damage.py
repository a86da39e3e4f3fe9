"""Damaged files: ``check`` reports the damage, ``repair`` mends it or says in one sentence why it cannot."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import KnowledgeBaseError, shortage
from rabbithole.workflow.cli.app import run

pytestmark = pytest.mark.slow

SETTINGS = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
CHROMA = SETTINGS.model_copy(update={"vector_index": "chroma"})
PAGES = [
    f"{number} Filters\n\nFilter number {number} is tested once a year under § {number} of the Act."
    for number in range(1, 9)
]
QUERY = "filter tested under § 5"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("damage"), SETTINGS)


@pytest.fixture(scope="module")
def sound_in_chroma(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("damage-chroma"), CHROMA)


def built(folder: Path, settings: KbSettings) -> Path:
    write_pdf(folder / "pdf" / "rules.pdf", PAGES)
    with KnowledgeBase.open(folder / "database", settings, create=True) as kb:
        kb.ingest([folder / "pdf"], "Rules")
        assert kb.check() == []
    return folder / "database"


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound, tmp_path / "database")


def answers(kb: KnowledgeBase) -> list[list[str]]:
    """What the search by words and the one by meaning find."""
    return [
        [hit.chunk.id for hit in kb.search(QUERY, mode="keyword").hits],
        [hit.chunk.id for hit in kb.search(QUERY, mode="semantic").hits],
    ]


def only(folder: Path, pattern: str) -> Path:
    """The largest file that matches."""
    return max((path for path in folder.glob(pattern) if path.is_file()), key=lambda path: path.stat().st_size)


def flip(path: Path, share: float = 0.5) -> None:
    data = bytearray(path.read_bytes())
    data[int(len(data) * share)] ^= 0x10
    path.write_bytes(data)


def flip_page(path: Path) -> None:
    """A bit in the head of the middle page of a SQLite file: data inside a row is not its own check's matter."""
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    data[len(data) // size // 2 * size] ^= 0x10
    path.write_bytes(data)


def overwrite(path: Path) -> None:
    path.write_bytes(b"\xde\xad" * (path.stat().st_size // 2 or 1))


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "a bit of a vector": lambda folder: flip(only(folder, "vectors-*/rows-*"), 0.3),
    "a bit of a vector's signs": lambda folder: flip(only(folder, "vectors-*/bits-*"), 0.0),
    "a bit of a checksum": lambda folder: flip(only(folder, "vectors-*/sums-*")),
    "a vector file cut off": lambda folder: cut(only(folder, "vectors-*/rows-*")),
    "the vector files gone": lambda folder: shutil.rmtree(next(folder.glob("vectors-*"))),
    "a bit of the words": lambda folder: flip(only(folder, "keywords-*/*.idx")),
    "a bit of the terms": lambda folder: flip(only(folder, "keywords-*/*.term")),
    "the words' list of files overwritten": lambda folder: overwrite(only(folder, "keywords-*/meta.json")),
    "a file of the words gone": lambda folder: only(folder, "keywords-*/*.term").unlink(),
    "the words gone": lambda folder: shutil.rmtree(next(folder.glob("keywords-*"))),
}


CHROMA_DAMAGES: dict[str, Callable[[Path], None]] = {
    "its database overwritten": lambda folder: overwrite(folder / "chroma" / "chroma.sqlite3"),
    "its database cut off": lambda folder: cut(folder / "chroma" / "chroma.sqlite3"),
    "its folder gone": lambda folder: shutil.rmtree(folder / "chroma"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_and_mended(sound: Path, folder: Path, damage: str) -> None:
    mended(sound, folder, DAMAGES[damage], SETTINGS)


@pytest.mark.parametrize("damage", CHROMA_DAMAGES)
def test_damage_of_chroma_is_found_and_mended(sound_in_chroma: Path, tmp_path: Path, damage: str) -> None:
    folder = shutil.copytree(sound_in_chroma, tmp_path / "database")
    mended(sound_in_chroma, folder, CHROMA_DAMAGES[damage], CHROMA)


def mended(sound: Path, folder: Path, damage: Callable[[Path], None], settings: KbSettings) -> None:
    with KnowledgeBase.open(sound, settings) as kb:
        before = answers(kb)
    damage(folder)
    with KnowledgeBase.open(folder, settings) as kb:
        assert kb.check(), "the damage is not noticed"
        kb.repair()
        assert kb.check() == []
    with KnowledgeBase.open(folder, settings) as kb:
        assert answers(kb) == before


@pytest.mark.parametrize("damage", [overwrite, cut, flip_page], ids=["overwritten", "cut", "flipped"])
def test_a_damaged_catalog_is_one_sentence_with_what_to_do(folder: Path, damage: Callable[[Path], None]) -> None:
    for rest in folder.glob("catalog.sqlite-*"):
        rest.unlink()
    catalog = folder / "catalog.sqlite"
    damage(catalog)
    try:
        with KnowledgeBase.open(folder, SETTINGS) as kb:
            problems = kb.check()
            with pytest.raises(KnowledgeBaseError, match="ingest the PDFs again"):
                kb.repair()
    except KnowledgeBaseError as error:  # not even its version can be read
        problems = [str(error)]
    if damage in (overwrite, cut):
        assert len(problems) == 1
        assert "ingest the PDFs again" in problems[0]


@pytest.mark.parametrize("command", [["kb", "check"], ["kb", "repair"], ["search", "filter"], ["kb", "stats"]])
def test_commands_on_a_damaged_catalog_end_in_one_sentence(
    folder: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cut(folder / "catalog.sqlite")
    assert run([*command, "--kb", str(folder)]) == 1
    out, err = capsys.readouterr()
    said = " ".join((out + err).split())
    assert "damaged" in said
    assert "Traceback" not in said
    assert "Unexpected" not in said


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device"), "disk is full"),
        (ValueError("IoError(Custom { kind: StorageFull, error: 'No space left on device' })"), "disk is full"),
        (RuntimeError("database or disk is full"), "disk is full"),
        (OSError(24, "Too many open files"), "ulimit"),
        (ValueError("Custom { kind: TooManyOpenFiles }"), "ulimit"),
        (ValueError("something else"), ""),
    ],
)
def test_what_has_run_out_is_called_that(error: Exception, said: str) -> None:
    found = shortage(error)
    assert (said in found) if said else found == ""

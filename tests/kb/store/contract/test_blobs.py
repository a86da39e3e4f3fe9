"""Every place for copies of files behaves the same; a place that cannot be used is one sentence."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path

import pytest
from forked import forked
from work import put_files_for_ever

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.store.blobs.blobs_place import BlobsPlace
from rabbithole.kb.store.ports import Blobs

NAME, OTHER = "0123456789abcdef", "0199456789abcdef"


@pytest.fixture(params=["folder", "objects"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder by itself, and one as the file system of PyArrow that stands for object storage."""
    if request.param == "objects":
        pytest.importorskip("pyarrow", reason="PyArrow is not installed: pip install 'rabbithole[cluster]'")
        return (tmp_path / "shared").as_uri()
    return str(tmp_path / "shared")


@pytest.fixture
def blobs(address: str) -> Blobs:
    return BlobsPlace(address, "base").open()


def file(tmp_path: Path, content: bytes) -> BufferedReader:
    (tmp_path / "file").write_bytes(content)
    return (tmp_path / "file").open("rb")


def read(blobs: Blobs, name: str) -> bytes:
    opened = blobs.open(name)
    assert opened is not None
    with opened:
        return opened.read()


def test_put_open_remove(blobs: Blobs, tmp_path: Path) -> None:
    assert blobs.names() == frozenset()
    assert blobs.open(NAME) is None
    for name, content in ((NAME, b"one" * 1_000_000), (OTHER, b"")):
        with file(tmp_path, content) as opened:
            blobs.put(name, opened)
        assert read(blobs, name) == content
    assert blobs.names() == {NAME, OTHER}
    blobs.remove([NAME, "no such name"])
    assert blobs.names() == {OTHER}


def test_several_readers_of_one_file(blobs: Blobs, tmp_path: Path) -> None:
    with file(tmp_path, b"0123456789") as opened:
        blobs.put(NAME, opened)
    first, second = blobs.open(NAME), blobs.open(NAME)
    assert first is not None
    assert second is not None
    with first, second:
        assert first.read(5) == b"01234"
        assert second.read() == b"0123456789"
        assert first.read() == b"56789"


def test_many_files_one_after_the_other(blobs: Blobs, tmp_path: Path) -> None:
    names = [f"{number:016x}" for number in range(20)]
    for name in names:
        with file(tmp_path, name.encode()) as opened:
            blobs.put(name, opened)
    assert [read(blobs, name) for name in names + names] == [name.encode() for name in names + names]


def test_many_threads_put_the_same_files(blobs: Blobs, address: str, tmp_path: Path) -> None:
    names = [f"{number:016x}" for number in range(5)]
    whole = not address.startswith("file:")  # PyArrow on a folder shows half a file, as object storage does not
    errors: list[Exception] = []

    def put(folder: Path) -> None:
        folder.mkdir()
        try:
            for name in names:
                with file(folder, name.encode() * 10_000) as opened:
                    blobs.put(name, opened)
                assert not whole or read(blobs, name) == name.encode() * 10_000
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=put, args=(tmp_path / f"thread-{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert blobs.names() == set(names)
    assert [read(blobs, name) for name in names] == [name.encode() * 10_000 for name in names]


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_whole_files(tmp_path: Path) -> None:
    """In a folder. In object storage an object is there once its upload has been completed, which no test can hurry."""
    place, moments = BlobsPlace(str(tmp_path / "shared"), "base"), random.Random(1)
    for _ in range(4):
        with forked(put_files_for_ever, place):
            time.sleep(moments.uniform(0.0, 0.3))
        blobs = place.open()
        for name in blobs.names():
            assert read(blobs, name) == name.encode() * 100_000
    assert blobs.names()


def test_a_file_that_breaks_off_is_not_stored(blobs: Blobs) -> None:
    class Broken:
        left = 2

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            if self.left < 0:
                raise OSError("broken off")
            return b"part"

    with pytest.raises(KnowledgeBaseError, match="broken off"):
        blobs.put(NAME, Broken())
    assert blobs.names() == frozenset()


def test_each_knowledge_base_has_its_own(address: str, tmp_path: Path) -> None:
    with file(tmp_path, b"mine") as opened:
        BlobsPlace(address, "base").open().put(NAME, opened)
    assert BlobsPlace(address, "other").open().names() == frozenset()


@pytest.mark.parametrize(
    "call",
    [lambda blobs, opened: blobs.put(NAME, opened), lambda blobs, _: blobs.remove([NAME])],
    ids=["put", "remove"],
)
def test_a_place_that_is_a_file(address: str, tmp_path: Path, call: Callable[[Blobs, BufferedReader], object]) -> None:
    (tmp_path / "shared").write_text("no folder")
    with file(tmp_path, b"content") as opened, pytest.raises(KnowledgeBaseError, match="cannot be written") as error:
        call(BlobsPlace(address, "base").open(), opened)
    assert "RABBITHOLE_ORIGINALS" in str(error.value)


@pytest.mark.parametrize("address", ["nothing://bucket/path", "s3://"])
def test_an_address_that_is_none(address: str) -> None:
    pytest.importorskip("pyarrow", reason="PyArrow is not installed: pip install 'rabbithole[cluster]'")
    with pytest.raises(KnowledgeBaseError, match="RABBITHOLE_ORIGINALS"):
        BlobsPlace(address, "base").open()

"""Files in object storage, through a file system of PyArrow. A file that is opened is fetched to this machine first."""

from __future__ import annotations

import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from threading import Lock
from typing import IO, Any, Final

import pyarrow as pa
from pyarrow import fs

from rabbithole.kb.errors import KnowledgeBaseError

KEPT: Final = 8
"""How many of the files fetched last are kept, without a name, on this machine."""


class ObjectBlobs:
    """An object for each name; see ``ports.Blobs``. ``name``: how messages call the place."""

    def __init__(self, system: Any, name: str) -> None:
        self._system = system
        self._name = name
        self._guard = Lock()
        self._fetched: OrderedDict[str, IO[bytes]] = OrderedDict()

    def names(self) -> frozenset[str]:
        with self._answering("read"):
            found = self._system.get_file_info(fs.FileSelector("", recursive=True, allow_not_found=True))
            return frozenset(each.base_name for each in found if each.type == fs.FileType.File)

    def put(self, name: str, file: BufferedReader) -> None:
        with self._answering("written"):
            self._system.create_dir(name[:2], recursive=True)
            try:
                with self._system.open_output_stream(_path(name)) as stream:
                    shutil.copyfileobj(file, stream, 2**20)
            except BaseException:
                with suppress(OSError):  # the stream has ended the object where it was interrupted
                    self._system.delete_file(_path(name))
                raise

    def open(self, name: str) -> BufferedReader | None:
        with self._guard:
            if name not in self._fetched:
                fetched = self._fetch(name)
                if fetched is None:
                    return None
                self._fetched[name] = fetched
            self._fetched.move_to_end(name)
            while len(self._fetched) > KEPT:
                self._fetched.popitem(last=False)[1].close()
            kept = self._fetched[name]
            opened = open(f"/dev/fd/{kept.fileno()}", "rb")  # noqa: SIM115  the caller closes it
        opened.seek(0)
        return opened

    def remove(self, names: Iterable[str]) -> None:
        with self._answering("written"):
            for name in names:
                with suppress(FileNotFoundError):
                    self._system.delete_file(_path(name))

    def _fetch(self, name: str) -> IO[bytes] | None:
        with self._answering("read"):
            if self._system.get_file_info(_path(name)).type != fs.FileType.File:
                return None
        file = tempfile.TemporaryFile()  # noqa: SIM115  it stays open while it is kept
        try:
            with self._answering("read"), self._system.open_input_stream(_path(name)) as stream:
                shutil.copyfileobj(stream, file, 2**20)
            file.flush()
        except BaseException:
            file.close()
            raise
        return file

    @contextmanager
    def _answering(self, verb: str) -> Iterator[None]:
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            reason = " ".join(str(error).split())[:200]
            raise KnowledgeBaseError(f"{self._name} (RABBITHOLE_ORIGINALS) cannot be {verb}: {reason}.") from error


def open_objects(address: str) -> ObjectBlobs:
    """Return the files below an address such as ``s3://bucket/path``, with the credentials of the environment."""
    try:
        system, path = fs.FileSystem.from_uri(address)
    except (OSError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())[:200]
        raise KnowledgeBaseError(f"{address} (RABBITHOLE_ORIGINALS) is no place for files: {reason}.") from error
    return ObjectBlobs(fs.SubTreeFileSystem(path, system), address)


def _path(name: str) -> str:
    return f"{name[:2]}/{name}"

"""Cache answers by model, prompt and schema, so that a step that runs again makes no second call."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from pathlib import Path
from typing import Protocol

from rabbithole.kb.errors import ModelError
from rabbithole.kb.files import private_file, private_folder
from rabbithole.kb.write_ahead import use_write_ahead_log


class AnswerCache(Protocol):
    """A store of answers. Keys are opaque; an answer is the model's text as accepted."""

    def get_answer(self, key: str) -> str | None: ...

    def put_answer(self, key: str, answer: str) -> None: ...


def cache_key(model: str, prompt: str, schema: str) -> str:
    """Return the key for one prompt to one model."""
    digest = hashlib.sha256()
    for part in (model, prompt, schema):
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\x00")
    return digest.hexdigest()


class MemoryCache:
    """A cache in memory, for the life of the process."""

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}

    def get_answer(self, key: str) -> str | None:
        return self._answers.get(key)

    def put_answer(self, key: str, answer: str) -> None:
        self._answers[key] = answer


class SqliteCache:
    """A cache in an SQLite file, which several processes may share. Raises ModelError if it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            private_folder(path.parent)
            private_file(path)
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
            use_write_ahead_log(self._db)
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID"
            )
        except (OSError, sqlite3.Error) as error:
            raise ModelError(f"The answer cache {path} cannot be opened: {error}.") from error

    def get_answer(self, key: str) -> str | None:
        with self._lock:
            row = self._db.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def put_answer(self, key: str, answer: str) -> None:
        with self._lock:
            self._db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, answer))

    def close(self) -> None:
        self._db.close()

"""SQLite databases with a write-ahead log."""

from __future__ import annotations

import sqlite3
import time

_PAUSE = 0.01


def use_write_ahead_log(connection: sqlite3.Connection, seconds: float = 30.0) -> None:
    """Switch a database to the write-ahead log, waiting up to ``seconds`` for others that open the same new file.

    SQLite says "database is locked" at once here, whatever the connection's timeout: two connections that both want to
    switch would wait for each other (https://www.sqlite.org/c3ref/busy_handler.html). Raises sqlite3.OperationalError.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_PAUSE)
        else:
            return

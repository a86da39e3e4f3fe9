"""What can fail under the chat, as one sentence for people."""

from __future__ import annotations

import sqlite3

from rabbithole.kb.errors import RabbitholeError, shortage, without_paths

FAILURES = (RabbitholeError, OSError, sqlite3.Error)


def sentence(error: BaseException) -> str:
    """Our own errors say what to do; those of disk and database are told what they are about. No path is told."""
    if said := shortage(error):
        return said
    if isinstance(error, RabbitholeError):
        return without_paths(str(error))
    return without_paths(f"The disk or a file of the knowledge base failed ({error}): check them, then reload.")

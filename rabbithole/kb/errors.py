"""Errors a person can act on. ``str(error)`` is one clear sentence: what was wrong and what to do."""

from __future__ import annotations

import errno
import re


class RabbitholeError(Exception):
    """Base of everything the product reports in one sentence; front ends print it and exit with ``exit_code``."""

    exit_code = 1


class UsageError(RabbitholeError):
    """The request itself is wrong: an unknown collection, an unknown field, an empty question."""

    exit_code = 2


class KnowledgeBaseError(RabbitholeError):
    """The knowledge base cannot be opened, read or written."""


class ReplacedError(KnowledgeBaseError):
    """A document was replaced or removed in the middle of reading it: asking again finds what is there now."""


class IngestError(RabbitholeError):
    """A file or folder cannot be ingested."""


class ModelError(RabbitholeError):
    """The model server or the model cannot be used."""


_SHORTAGES = (
    (
        (errno.ENOSPC, errno.EDQUOT),
        re.compile(r"no space left|disk is full|storage ?full|quota exceeded", re.I),
        "The disk is full: free some space and run the same command again; what was finished is kept.",
    ),
    (
        (errno.EMFILE, errno.ENFILE),
        re.compile(r"too ?many ?open ?files", re.I),
        "Too many files are open: raise the limit (`ulimit -n 1024`) and run the same command again.",
    ),
)


def shortage(error: BaseException | None) -> str:
    """What the system has run out of, in a sentence with what to do; '' when that is not why an error was raised.

    Libraries in other languages hide the system's error number in a text of theirs.
    """
    seen = 0
    while error is not None and seen < 10:
        for numbers, text, said in _SHORTAGES:
            if getattr(error, "errno", None) in numbers or text.search(str(error)):
                return said
        error, seen = error.__cause__ or error.__context__, seen + 1
    return ""


# A POSIX, Windows or network path with at least one folder; names in it may hold blanks only where a slash follows.
# The slashes after a scheme ("http://") begin none, except those of a file.
_PATH = re.compile(
    r"(?:file://|(?<![\w.:/\\])|(?<=:)(?!//))(?:[A-Za-z]:[\\/]|\\\\|/)"
    r"(?:[^\s/\\:'\"<>|]+(?: [^\s/\\:'\"<>|]+)*[\\/])+([^\s/\\:'\"<>|,;)]+)"
)


def without_paths(sentence: str) -> str:
    """A sentence for others than the owner of this machine: of a path only the last part is told."""
    return _PATH.sub(lambda found: found[1], sentence)

"""Errors a person can act on. ``str(error)`` is one clear sentence: what was wrong and what to do."""

from __future__ import annotations

import errno
import re


class RabbitholeError(Exception):
    """Base of all errors reported in one sentence; front ends print it and exit with ``exit_code``."""

    exit_code = 1


class UsageError(RabbitholeError):
    """The request itself is wrong: an unknown collection, an unknown field, an empty question."""

    exit_code = 2


class KnowledgeBaseError(RabbitholeError):
    """The knowledge base cannot be opened, read or written."""


class CatalogAway(KnowledgeBaseError):
    """The database with the shared catalog cannot be reached now; the same call succeeds once it can."""


class ReplacedError(KnowledgeBaseError):
    """A document was replaced or removed while it was read; asking again finds the current one."""


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
    """Return a sentence on what the system has run out of and what to do, or '' if that did not cause the error.

    Causes are checked too, also by their texts, because libraries in other languages hide the error number there.
    """
    seen = 0
    while error is not None and seen < 10:
        for numbers, text, said in _SHORTAGES:
            if getattr(error, "errno", None) in numbers or text.search(str(error)):
                return said
        error, seen = error.__cause__ or error.__context__, seen + 1
    return ""


# A POSIX, Windows or network path with at least one folder; its names may contain blanks only before a slash.
# The slashes of a scheme ("http://") begin no path, except those of "file://".
_PATH = re.compile(
    r"(?:file://|(?<![\w.:/\\])|(?<=:)(?!//))(?:[A-Za-z]:[\\/]|\\\\|/)"
    r"(?:[^\s/\\:'\"<>|]+(?: [^\s/\\:'\"<>|]+)*[\\/])+([^\s/\\:'\"<>|,;)]+)"
)


def without_paths(sentence: str) -> str:
    """Return a sentence with each path cut to its last part, for readers who do not own this machine."""
    return _PATH.sub(lambda found: found[1], sentence)

"""Errors a person can act on. ``str(error)`` is one clear sentence: what was wrong and what to do."""

from __future__ import annotations


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

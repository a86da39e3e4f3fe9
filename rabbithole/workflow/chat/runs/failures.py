"""Describe failures in the chat in one sentence for the user."""

from __future__ import annotations

import sqlite3
from typing import Literal

from rabbithole.kb.errors import (
    KnowledgeBaseError,
    ModelError,
    RabbitholeError,
    UsageError,
    shortage,
    without_paths,
)
from rabbithole.workflow.chat.locales import Language, say

FAILURES = (RabbitholeError, OSError, sqlite3.Error)
FailureKind = Literal["", "model", "knowledge_base", "full", "usage", "disk", "unexpected"]


def kind_of(error: BaseException) -> FailureKind:
    """Return the kind of failure, which chooses the sentence in the user's language."""
    if shortage(error):
        return "full"
    if isinstance(error, ModelError):
        return "model"
    if isinstance(error, KnowledgeBaseError):
        return "knowledge_base"
    if isinstance(error, UsageError):
        return "usage"
    return "disk" if isinstance(error, OSError | sqlite3.Error) else "unexpected"


def sentence(error: BaseException, language: Language = "en") -> str:
    """Return one sentence on what failed and what to do, without paths of this machine.

    In English this is the message of our own errors; in other languages a sentence for the kind of failure.
    """
    if language != "en":
        return say(language, f"failure.{kind_of(error)}")
    if said := shortage(error):
        return said
    if isinstance(error, RabbitholeError):
        return without_paths(str(error))
    return without_paths(
        f"The disk or a file of the knowledge base failed ({error}): check both, then reload the page."
    )

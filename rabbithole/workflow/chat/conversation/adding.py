"""Ingest files that the user sends, show the progress, and keep the outcome in the conversation."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chainlit as cl

from rabbithole.kb.errors import RabbitholeError, without_paths
from rabbithole.kb.ingest.run.progress import IngestState
from rabbithole.workflow.chat.documents.uploads import add
from rabbithole.workflow.chat.locales import say
from rabbithole.workflow.chat.runs.preferences import preferences_of
from rabbithole.workflow.chat.thread_pools import in_long

from .messages import keep_note, language, user
from .services import Services


class Shown:
    """Shows the progress of an ingestion, at most once a second; called in the ingestion's thread."""

    def __init__(self, message: cl.Message, text: Callable[[IngestState], str]) -> None:
        self._message = message
        self._text = text
        self._context = contextvars.copy_context()
        self._loop = asyncio.get_running_loop()
        self._next = 0.0

    def __call__(self, state: IngestState) -> None:
        if time.monotonic() >= self._next and state.stage == "read":
            self._next = time.monotonic() + 1.0
            self._loop.call_soon_threadsafe(self._update, self._text(state))

    def _update(self, text: str) -> None:
        self._message.content = text
        self._context.copy().run(asyncio.ensure_future, self._message.update())


async def add_document(services: Services, thread: str, path: str, name: str) -> None:
    """Store and ingest one file; a failure is reported in one sentence."""
    spoken = language()
    message = cl.Message(content=say(spoken, "upload.reading", name=name))
    await message.send()
    stored = preferences_of(services.history.preferences(user()))
    collection = stored.upload_collection or services.settings.upload_collection

    def text(state: IngestState) -> str:
        figures = {"pages": state.pages, "chunks": state.chunks, "seconds": round(state.seconds)}
        return say(spoken, "upload.progress", name=name, **figures)

    folder, progress = services.settings.uploads, Shown(message, text)
    values: dict[str, Any] = {"name": name, "collection": collection}
    try:
        result = await in_long(
            add, services.kb, Path(path), name, folder=folder, collection=collection, progress=progress
        )
    except RabbitholeError as error:
        key, values = "upload.refused", {**values, "reason": without_paths(str(error))}
    else:
        key = "upload.known" if result.known else "upload.taken" if result.taken else "upload.refused"
        values = {**values, "pages": result.pages, "reason": result.reason}
    message.content = say(spoken, key, **values)
    await message.update()
    keep_note(services, thread, message.id, key, values)

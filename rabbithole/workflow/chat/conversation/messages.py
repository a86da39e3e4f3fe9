"""The current browser session: its language, its user, and short notes to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

import chainlit as cl

from rabbithole.workflow.chat.chosen_language import chosen_language
from rabbithole.workflow.chat.locales import Language, language_of, say

from .services import LOCAL_USER, Services


def language() -> Language:
    return language_of(getattr(cl.context.session, "language", None))


def chosen() -> Language | Literal["auto"]:
    """Return the language chosen for menus and field in this browser, 'auto' if it is the browser's own."""
    environ = cl.context.session.environ or {}
    return chosen_language(environ.get("HTTP_COOKIE", ""))


def user() -> str:
    known = cl.context.session.user
    return known.identifier if known else LOCAL_USER


async def note(services: Services, thread: str, key: str, **values: Any) -> None:
    """Show a note and store it in the conversation."""
    message = cl.Message(content=say(language(), key, **values))
    await message.send()
    keep_note(services, thread, message.id, key, values)


def keep_note(services: Services, thread: str, item: str, key: str, values: Mapping[str, Any]) -> None:
    """Store a note as a key with values, so that it can be shown in another language later."""
    services.history.add_item(thread, item, "note", json.dumps({"key": key, "values": dict(values)}))

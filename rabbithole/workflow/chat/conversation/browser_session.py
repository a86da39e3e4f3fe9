"""One browser session: greeting, restoring, settings, pages beside the chat. The manager owns the runs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import chainlit as cl
from chainlit.types import ThreadDict
from pydantic import ValidationError

from rabbithole.kb.models import Model
from rabbithole.workflow.chat.attempts import CALLER, Attempts, TooSoon
from rabbithole.workflow.chat.locales import say
from rabbithole.workflow.chat.runs.failures import FAILURES, sentence
from rabbithole.workflow.chat.runs.history import Item
from rabbithole.workflow.chat.runs.preferences import INTERFACE, preferences_of, widgets
from rabbithole.workflow.chat.thread_pools import in_login, in_ui
from rabbithole.workflow.chat.users import fingerprint, load_users, verify

from .conversation import message, shown
from .messages import chosen, language, user
from .services import current

ATTEMPTS = Attempts()


async def entry(name: str, password: str) -> str | None:
    """Check a login and return the fingerprint the session is bound to; None if it is wrong or comes too soon."""
    caller = CALLER.get()
    try:
        ATTEMPTS.begin(name, caller.address)
    except TooSoon as error:
        caller.wait = error.seconds
        return None
    users = load_users(current().settings.users_file)
    if not await in_login(verify, users, name, password):
        return None
    ATTEMPTS.succeeded(name, caller.address)
    return fingerprint(users[name])


async def greet() -> None:
    """Show the start screen and the user's settings."""
    start = cl.Message(content="", elements=[cl.CustomElement(name="Start", props={}, display="inline")])
    await start.send()
    cl.user_session.set("start", start)
    await _send_settings()


async def restore(thread: ThreadDict) -> None:
    """Restore a conversation: Chainlit sends what this puts into ``thread``."""
    problem = await _send_settings()
    try:
        items = await in_ui(current().history.items, thread["id"])
    except FAILURES as error:
        items, problem = [], sentence(error, language())
    steps, elements = shown(items, thread["id"], language())
    if problem:
        said = Item(id="problem", kind="note", body="", created=time.time())
        steps.append(message(said, thread["id"], problem))
    thread["steps"], thread["elements"] = steps, elements  # type: ignore[typeddict-item]


async def remember(changed: Mapping[str, Any]) -> None:
    history = current().history
    kept = {name: value for name, value in changed.items() if name != INTERFACE}
    history.set_preferences(user(), {**history.preferences(user()), **kept})
    if (wanted := changed.get(INTERFACE, chosen())) != chosen():
        await cl.send_window_message({"rabbithole": "language", "language": wanted})


async def _send_settings() -> str:
    """Send the settings form; return '' or a sentence that says why it cannot be shown."""
    services = current()
    try:
        stored = preferences_of(services.history.preferences(user()))
        await in_ui(services.kb.collections)  # to report an unreadable knowledge base at once
    except FAILURES as error:  # the start screen reports it itself; a conversation stays readable
        return sentence(error, language())
    models = await services.models()
    await cl.ChatSettings(widgets(stored, language(), chosen(), models, services.settings.upload_collection)).send()
    return ""


class PagePayload(Model):
    document: str
    page: int = 0
    quote: str = ""


async def open_page(payload: Mapping[str, Any]) -> None:
    """Open a page of a document beside the chat, with the quoted words marked."""
    try:
        wanted = PagePayload(**payload)
    except ValidationError:  # it did not come from our own elements
        return
    if current().documents.find(wanted.document) is None:
        await cl.context.emitter.send_toast(say(language(), "page.gone"), "warning")
        return
    # Chainlit shows an element of this name wide; it always has the same id, so that pages replace each other.
    session = cl.context.session.id
    page = cl.CustomElement(name="canvas", props=wanted.model_dump(), display="side", id=f"page-{session}")
    await page.send(for_id="", persist=False)

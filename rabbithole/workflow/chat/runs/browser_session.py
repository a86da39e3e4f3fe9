"""One browser session: greeting, restoring, settings, pages beside the chat. The runs live in the manager."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import chainlit as cl
from chainlit.types import ThreadDict
from pydantic import ValidationError

from rabbithole.kb.models import Model
from rabbithole.workflow.chat.locales import say
from rabbithole.workflow.chat.server.attempts import CALLER, Attempts, TooSoon
from rabbithole.workflow.chat.server.thread_pools import in_login, in_ui
from rabbithole.workflow.chat.server.users import fingerprint, load_users, verify

from .conversation import message, shown
from .failures import FAILURES, sentence
from .history import Item
from .messages import language, user
from .preferences import preferences_of, widgets
from .services import current

ATTEMPTS = Attempts()


async def entry(name: str, password: str) -> str | None:
    """What the session of a person who may enter is bound to; None for a wrong name or password, or too many."""
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
    """The start screen, and the settings as the person left them."""
    start = cl.Message(content="", elements=[cl.CustomElement(name="Start", props={}, display="inline")])
    await start.send()
    cl.user_session.set("start", start)
    await _send_settings()


async def restore(thread: ThreadDict) -> None:
    """A conversation as it was: Chainlit sends on what this puts into ``thread``."""
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
    history.set_preferences(user(), {**history.preferences(user()), **changed})


async def _send_settings() -> str:
    """Send the form; the sentence that says why there is none, '' when there is."""
    services = current()
    try:
        stored = preferences_of(services.history.preferences(user()))
        await in_ui(services.kb.collections)  # a knowledge base that cannot be read is said at once
    except FAILURES as error:  # the start screen says it itself; a conversation stays readable
        return sentence(error, language())
    models = await services.models()
    await cl.ChatSettings(widgets(stored, language(), models, services.settings.upload_collection)).send()
    return ""


class PagePayload(Model):
    document: str
    page: int = 0
    quote: str = ""


async def open_page(payload: Mapping[str, Any]) -> None:
    """Open a page of a document beside the chat, the quoted words marked."""
    try:
        wanted = PagePayload(**payload)
    except ValidationError:  # not from our own elements
        return
    if current().documents.find(wanted.document) is None:
        await cl.context.emitter.send_toast(say(language(), "page.gone"), "warning")
        return
    # The frame gives an element of this name its wide form; one id, so that pages replace one another.
    session = cl.context.session.id
    page = cl.CustomElement(name="canvas", props=wanted.model_dump(), display="side", id=f"page-{session}")
    await page.send(for_id="", persist=False)

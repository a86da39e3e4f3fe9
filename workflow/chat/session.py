"""One browser session: greeting, restoring, and what the person types. The runs themselves live in the manager."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chainlit as cl
from chainlit.types import ThreadDict
from pydantic import ValidationError

from ...kb.errors import RabbitholeError
from ...kb.models import Model
from ...steps.models import Answer
from ..events import ClarificationAnswered, PlanApproved
from .conversation import run_elements, shown
from .live import LiveRun
from .locales import Language, language_of, say
from .preferences import preferences_of, widgets
from .services import LOCAL_USER, Services, current
from .settings import is_loopback
from .uploads import add
from .users import load_users, verify

__all__ = ["LOCAL_USER", "greet", "hear", "is_local", "may_enter", "open_page", "remember", "restore"]
END_WORDS = ("/end", "/ende", "/start")


async def may_enter(name: str, password: str) -> bool:
    users = load_users(current().settings.users_file)
    return await asyncio.to_thread(verify, users, name, password)


def is_local(host: str) -> bool:
    """Whether a request names this machine: a page of another name that resolves here gets no session."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return is_loopback(name)


def _language() -> Language:
    return language_of(getattr(cl.context.session, "language", None))


def _user() -> str:
    user = cl.context.session.user
    return user.identifier if user else LOCAL_USER


async def greet() -> None:
    """The start screen, and the settings as the person left them."""
    await _send_settings()
    start = cl.Message(content="", elements=[_element("Start", {}, uuid.uuid4().hex)])
    await start.send()
    cl.user_session.set("start", start)


async def restore(thread: ThreadDict) -> None:
    """A conversation as it was: Chainlit sends on what this puts into ``thread``."""
    services = current()
    items = services.history.items(thread["id"])
    steps, elements = shown(items, thread["id"], _language())
    thread["steps"], thread["elements"] = steps, elements  # type: ignore[typeddict-item]
    await _send_settings()


async def remember(changed: Mapping[str, Any]) -> None:
    current().history.set_preferences(_user(), {**current().history.preferences(_user()), **changed})


async def _send_settings() -> None:
    services = current()
    stored = preferences_of(services.history.preferences(_user()))
    names = [one.name for one in await asyncio.to_thread(services.kb.collections)]
    models = await services.models()
    await cl.ChatSettings(widgets(stored, _language(), names, models, services.settings.upload_collection)).send()


async def hear(message: cl.Message) -> None:
    """Words and files of the person: an answer, a new question, or documents to add."""
    services, thread = current(), cl.context.session.thread_id
    text = message.content.strip()
    files = [one for one in message.elements or [] if one.path]
    start = cl.user_session.get("start")
    if start is not None and text:
        cl.user_session.set("start", None)
        await start.remove()
    services.history.open_thread(thread, _user(), text or ", ".join(one.name for one in files))
    if text:
        services.history.add_item(thread, message.id, "user", message.content)
    for file in files:
        await _add_document(services, thread, str(file.path), file.name)
    if text:
        await _hear_words(services, thread, text)


async def _hear_words(services: Services, thread: str, text: str) -> None:
    runs = services.manager.of_thread(thread)
    latest = runs[-1] if runs else None
    if latest is None or latest.view.status == "done":
        await _ask(services, thread, text, parent=latest)
    elif latest.view.question is not None:
        _answer_in_words(services, latest, text)
    elif latest.view.plan is not None and not latest.view.plan.approved and text.lower() in END_WORDS:
        services.manager.answer(latest, PlanApproved(id=latest.view.plan.id, todos=list(latest.view.plan.todos)))
    elif latest.view.waiting:
        await _note(thread, "note.plan_waits")
    elif latest.running:
        await _note(thread, "note.busy")
    else:
        await _ask(services, thread, text, parent=latest)


def _answer_in_words(services: Services, run: LiveRun, text: str) -> None:
    open_question = run.view.question
    if open_question is None:
        return
    end = text.lower() in END_WORDS
    answers = [] if end else [Answer(question="", text=text)]
    services.manager.answer(run, ClarificationAnswered(id=open_question.id, answers=answers, end=end))


async def _ask(services: Services, thread: str, text: str, parent: LiveRun | None) -> None:
    stored = preferences_of(services.history.preferences(_user()))
    ask = stored.ask(text, parent.row.id if parent and parent.view.report else "")
    run = services.manager.start(ask, user=_user(), thread=thread)
    await _send_run(run, thread)


async def _send_run(run: str, thread: str) -> None:
    message = cl.Message(content="", id=run)
    await message.send()
    for element in run_elements(run, thread):
        await cl.context.emitter.send_element(element)  # type: ignore[arg-type]


async def _add_document(services: Services, thread: str, path: str, name: str) -> None:
    language = _language()
    message = cl.Message(content=say(language, "upload.reading", name=name))
    await message.send()
    stored = preferences_of(services.history.preferences(_user()))
    collection = stored.upload_collection or services.settings.upload_collection
    try:
        result = await asyncio.to_thread(
            add, services.kb, Path(path), name, folder=services.settings.upload_folder, collection=collection
        )
        key = "upload.known" if result.known else "upload.taken" if result.taken else "upload.refused"
        values: dict[str, Any] = {
            "name": name,
            "pages": result.pages,
            "collection": collection,
            "reason": result.reason,
        }
    except RabbitholeError as error:
        key, values = "upload.refused", {"name": name, "reason": str(error)}
    message.content = say(language, key, **values)
    await message.update()
    services.history.add_item(thread, message.id, "note", json.dumps({"key": key, "values": values}))


async def _note(thread: str, key: str, **values: Any) -> None:
    """Say something and keep it in the conversation."""
    message = cl.Message(content=say(_language(), key, **values))
    await message.send()
    current().history.add_item(thread, message.id, "note", json.dumps({"key": key, "values": values}))


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
    document = current().documents.find(wanted.document)
    if document is None:
        await cl.context.emitter.send_toast(say(_language(), "page.gone"), "warning")
        return
    key = uuid.uuid4().hex
    await cl.ElementSidebar.set_title("canvas")  # the frame's wide form; the element has its own heading
    await cl.ElementSidebar.set_elements([_element("Page", wanted.model_dump(), key)], key=key)


def _element(name: str, props: dict[str, Any], key: str) -> cl.CustomElement:
    return cl.CustomElement(name=name, props=props, display="inline", id=f"{name}-{key}")

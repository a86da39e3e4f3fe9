"""Handle a message from the user: a question, an answer to an open one, or files to add."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import chainlit as cl

from rabbithole.steps.budget import tokens
from rabbithole.steps.language import detect_language, identify_language
from rabbithole.steps.models import Answer, Todo
from rabbithole.workflow.chat.locales import Language
from rabbithole.workflow.chat.runs.failures import FAILURES, sentence
from rabbithole.workflow.chat.runs.live import LiveRun
from rabbithole.workflow.chat.runs.preferences import preferences_of
from rabbithole.workflow.chat.thread_pools import in_ui
from rabbithole.workflow.events import ClarificationAnswered, PlanApproved, PlanProposed
from rabbithole.workflow.run.start import LONGEST_QUESTION_TOKENS

from .adding import add_document
from .conversation import run_elements
from .draft_message import asks_for_check, check_file
from .messages import language, note, user
from .replies import answered_at_once
from .services import Services, current

END_WORDS = ("/end", "/ende", "/start")
GO_WORDS = (*END_WORDS, "ok", "okay", "ja", "yes", "go", "los", "start", "weiter")
ADDED_TASKS = 1000
"""First id of tasks typed as messages; the ids that the form assigns are lower."""
MOST_TASKS = 15
FEW_WORDS = 4
"""Least number of words from which a language is detected."""


async def hear(message: cl.Message) -> None:
    """Handle the message; a failure is shown in place of the answer."""
    try:
        await _hear(message)
        await in_ui(current().visits.seen, user())
    except FAILURES as error:
        await cl.Message(content=sentence(error, language())).send()


async def _hear(message: cl.Message) -> None:
    services, thread = current(), cl.context.session.thread_id
    text = message.content.strip()
    files = [one for one in message.elements or [] if one.path]
    services.history.open_thread(thread, user(), text or ", ".join(one.name for one in files))
    if text:
        services.history.add_item(thread, message.id, "user", message.content)
    if files and asks_for_check(text):
        for file in files:
            await check_file(services, thread, Path(str(file.path)), file.name)
        return
    for file in files:
        await add_document(services, thread, str(file.path), file.name)
    if text:
        await _hear_words(services, thread, text)
        await _put_start_away()


async def _put_start_away() -> None:
    start = cl.user_session.get("start")
    if start is not None:
        cl.user_session.set("start", None)
        await start.remove()


async def _hear_words(services: Services, thread: str, text: str) -> None:
    runs = services.manager.of_thread(thread)
    latest = runs[-1] if runs else None
    report = latest.view.report if latest else None
    if latest is not None and services.manager.is_elsewhere(latest.row.id):
        await _give_back(text)
        await note(services, thread, "note.elsewhere")
        return
    if latest is None or latest.view.status == "done":
        if not await answered_at_once(services, thread, text, latest.row.id if latest else "", report):
            await _ask(services, thread, text, parent=latest)
    elif latest.view.question is not None:
        _answer_in_words(services, latest, text)
    elif (plan := latest.view.plan) is not None and not plan.approved:
        if text.lower().rstrip(".!") in GO_WORDS:
            services.manager.answer(latest, PlanApproved(id=plan.id, todos=list(plan.todos)))
        elif len(plan.todos) < MOST_TASKS:
            added = Todo(id=ADDED_TASKS + len(plan.todos), text=text, origin="person")
            latest.record(PlanProposed(id=plan.id, todos=[*plan.todos, added]))
            await note(services, thread, "note.plan_added")
        else:
            await _give_back(text)
            await note(services, thread, "note.plan_full")
    elif latest.running:
        await _give_back(text)
        await note(services, thread, "note.busy")
    else:
        await _ask(services, thread, text, parent=latest)


def _answer_in_words(services: Services, run: LiveRun, text: str) -> None:
    question = run.view.question
    if question is not None:
        end = text.lower() in END_WORDS
        answers = [] if end else [Answer(question="", text=text)]
        services.manager.answer(run, ClarificationAnswered(id=question.id, answers=answers, end=end))


async def _give_back(text: str) -> None:
    """Put a message that cannot be handled now back into the input field."""
    await cl.send_window_message({"rabbithole": "typed", "text": text})


async def _ask(services: Services, thread: str, text: str, parent: LiveRun | None) -> None:
    if not any(info.chunks for info in await in_ui(services.kb.collections)):
        await note(services, thread, "start.empty")
        return
    if tokens(text) > LONGEST_QUESTION_TOKENS:
        await _give_back(text)
        await note(services, thread, "note.too_long", count=tokens(text), most=LONGEST_QUESTION_TOKENS)
        return
    stored = preferences_of(services.history.preferences(user()))
    held = {info.name for info in await in_ui(services.kb.collections)}
    if gone := [name for name in stored.collections if name not in held]:
        stored = stored.model_copy(update={"collections": tuple(one for one in stored.collections if one in held)})
        services.history.set_preferences(
            user(), {**services.history.preferences(user()), "collections": list(stored.collections)}
        )
        await note(services, thread, "note.collection_gone", names=", ".join(gone))
    ids = {one.id for one in await in_ui(services.kb.documents)} if stored.documents else set()
    if any(one not in ids for one in stored.documents):
        stored = stored.model_copy(update={"documents": tuple(one for one in stored.documents if one in ids)})
        await note(services, thread, "note.document_gone")
    report = parent.view.report if parent else None
    spoken = await in_ui(written_in, text, report.language if report else language())
    if spoken == "other":
        await note(services, thread, "note.language")
    if parent is None:  # a conversation that began with a greeting is named after its first question
        services.history.rename(thread, text)
    ask = stored.ask(text, parent.row.id if parent and report else "", "" if spoken == "other" else spoken)
    run = services.manager.start(ask, user=user(), thread=thread)
    await cl.Message(content="", id=run).send()
    for element in run_elements(run, thread):
        await cl.context.emitter.send_element(element)  # type: ignore[arg-type]


def written_in(text: str, before: Language) -> Language | Literal["other"]:
    """Return the language of a message; one without words is in that of what stands ``before`` it."""
    if len(text.split()) > FEW_WORDS:
        return identify_language(text)
    return detect_language(text, before)

"""Answers that need no search: they come at once from the previous report and are kept in the conversation."""

from __future__ import annotations

import uuid

import chainlit as cl

from rabbithole.steps.follow_up import FollowUp, context_of, reply, resolve
from rabbithole.steps.report_models import Report
from rabbithole.workflow.chat.runs.history import KeptReply
from rabbithole.workflow.chat.thread_pools import in_ui

from .conversation import reply_element
from .services import Services


async def answered_at_once(services: Services, thread: str, text: str, run: str, report: Report | None) -> bool:
    """Answer a follow-up that needs no search; return False if it needs one."""
    made = await in_ui(_reply, services, text, report)
    if made is None:
        return False
    follow, markdown = made
    item = uuid.uuid4().hex
    kept = KeptReply(
        run=run if report else "", language=follow.language, markdown=markdown, asks=follow.kind == "ask_back"
    )
    services.history.add_item(thread, item, "reply", kept.model_dump_json())
    await cl.Message(content="", id=item).send()
    await cl.context.emitter.send_element(reply_element(item, thread))  # type: ignore[arg-type]
    return True


def _reply(services: Services, text: str, report: Report | None) -> tuple[FollowUp, str] | None:
    follow = resolve(text, context_of(report) if report else None)
    if follow.searches:
        return None
    markdown = reply(follow, report, services.presenter.passage_of(report) if report else lambda _: "")
    return (follow, markdown) if markdown is not None else None

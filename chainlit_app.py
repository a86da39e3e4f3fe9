"""The chat: what happens in Chainlit, told to the services, and back. Nothing else."""

from __future__ import annotations

from typing import Any

import chainlit as cl
from chainlit.data.base import BaseDataLayer
from chainlit.types import ThreadDict
from starlette.datastructures import Headers

from rabbithole.workflow.chat.conversation import browser_session
from rabbithole.workflow.chat.conversation.message_handler import hear
from rabbithole.workflow.chat.conversation.services import LOCAL_USER, current
from rabbithole.workflow.chat.server.datalayer import HistoryDataLayer
from rabbithole.workflow.integrations.request_guard import names_this_machine


@cl.data_layer
def data_layer() -> BaseDataLayer:
    return HistoryDataLayer(current().history, current().forget)


async def by_password(name: str, password: str) -> cl.User | None:
    key = await browser_session.entry(name, password)
    return cl.User(identifier=name, metadata={"key": key}) if key else None


async def by_address(headers: Headers) -> cl.User | None:
    local = current().start_key is None and names_this_machine(headers.get("host", ""))
    return cl.User(identifier=LOCAL_USER) if local else None


if current().settings.login:
    cl.password_auth_callback(by_password)
else:
    cl.header_auth_callback(by_address)


@cl.on_chat_start
async def on_chat_start() -> None:
    await browser_session.greet()


@cl.on_chat_resume
async def on_chat_resume(thread: ThreadDict) -> None:
    await browser_session.restore(thread)


@cl.on_message
async def on_message(message: cl.Message) -> None:
    await hear(message)


@cl.on_settings_update
async def on_settings_update(changed: dict[str, Any]) -> None:
    await browser_session.remember(changed)


@cl.action_callback("open_page")
async def open_page(action: cl.Action) -> None:
    await browser_session.open_page(action.payload)


@cl.on_app_shutdown
async def on_app_shutdown() -> None:
    await current().close()

"""Turn a stored conversation into the messages and elements the browser shows; deterministic."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from rabbithole.workflow.chat.locales import Language, say
from rabbithole.workflow.chat.runs.history import Item

AUTHOR = "Rabbithole"
# The report and open questions come first, then how it was found.
RUN_ELEMENTS = ("Progress", "Report", "Question", "Plan", "Rounds", "Trace", "Tasks", "RabbitMap")


def message(item: Item, thread: str, text: str, kind: str = "assistant_message") -> dict[str, Any]:
    """Return a Chainlit step."""
    when = datetime.fromtimestamp(item.created, UTC).isoformat().replace("+00:00", "Z")
    return {
        "id": item.id,
        "threadId": thread,
        "parentId": None,
        "name": AUTHOR if kind == "assistant_message" else "",
        "type": kind,
        "output": text,
        "input": "",
        "createdAt": when,
        "start": when,
        "end": when,
        "streaming": False,
        "isError": False,
        "waitForAnswer": False,
        "metadata": {},
        "tags": None,
        "showInput": False,
        "language": None,
        "defaultOpen": False,
        "autoCollapse": False,
    }


def run_elements(run: str, thread: str) -> list[dict[str, Any]]:
    """Return the elements that show a run. They contain only its id and fetch their content themselves."""
    return [_element(name, run, thread, {"run": run, "thread": thread}) for name in RUN_ELEMENTS]


def reply_element(item: str, thread: str) -> dict[str, Any]:
    """Return the element that shows a reply."""
    return _element("Reply", item, thread, {"item": item, "thread": thread})


def _element(name: str, message: str, thread: str, props: dict[str, str]) -> dict[str, Any]:
    return {
        "id": f"{message}-{name}",
        "threadId": thread,
        "type": "custom",
        "name": name,
        "display": "inline",
        "forId": message,
        "mime": "application/json",
        "url": "/rabbithole/texts",  # with a source given, the browser does not request a stored copy
        "props": props,
    }


def note_text(item: Item, language: Language) -> str:
    """Return a note in the user's language; it is stored as a key with values."""
    note = json.loads(item.body)
    return say(language, note["key"], **note["values"])


def shown(items: Sequence[Item], thread: str, language: Language) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the messages and elements of a whole conversation."""
    steps: list[dict[str, Any]] = []
    elements: list[dict[str, Any]] = []
    for item in items:
        if item.kind == "user":
            steps.append(message(item, thread, item.body, "user_message"))
        elif item.kind == "run":
            steps.append(message(item, thread, ""))
            elements.extend(run_elements(item.body, thread))
        elif item.kind == "reply":
            steps.append(message(item, thread, ""))
            elements.append(reply_element(item.id, thread))
        else:
            steps.append(message(item, thread, note_text(item, language)))
    return steps, elements

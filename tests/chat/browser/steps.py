"""What a person does, one step a function."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from rabbithole.workflow.chat.locales import Language, say

# No document has the last word of each, so another name for it is asked before the plan.
QUESTIONS: dict[Language, str] = {
    "de": "Was gilt für Lüftung und Rückhaltung in einem Aquarium?",
    "en": "How are filters tested and replaced in an aquarium?",
}


DONE = '.rh-status[data-status="done"]'
"""The state of the run; tasks and places have one of their own."""
SCREENS = os.environ.get("RABBITHOLE_SCREENS")  # a folder: keep pictures of every screen there


def picture(page: Page, name: str) -> None:
    if SCREENS:
        page.wait_for_timeout(600)
        page.screenshot(path=Path(SCREENS) / f"{name}.png")


def ask(page: Page, question: str) -> None:
    """Type a question and send it."""
    page.wait_for_selector(".rh-start, .rh-report")
    page.fill("#chat-input", question) if page.locator("textarea#chat-input").count() else _type(page, question)
    page.keyboard.press("Enter")


def _type(page: Page, text: str) -> None:
    page.click("#chat-input")
    page.keyboard.insert_text(text)


def to_question(page: Page, language: Language = "en") -> str:
    """Ask, and wait for the questions back; the id of the run."""
    ask(page, QUESTIONS[language])
    page.wait_for_selector(".rh-ask fieldset")
    identifier = page.locator("[id^=end-]").get_attribute("id")
    assert identifier is not None
    return identifier.removeprefix("end-")


def to_plan(page: Page) -> None:
    page.click("[id^=end-]")
    page.wait_for_selector(".rh-plan")


def to_report(page: Page) -> None:
    page.click("[id^=approve-]")
    finished(page)


def finished(page: Page) -> None:
    page.wait_for_selector(".rh-report .rh-chip")
    page.wait_for_selector(DONE)


def unfold_map(page: Page) -> None:
    """The map is folded once there is a report."""
    page.locator("[data-card=map-card] > summary").click()
    expect(page.locator(".rh-map svg g").first).to_be_visible()


def status(page: Page, language: Language, name: str) -> None:
    expect(page.locator(".rh-status").last).to_contain_text(say(language, f"status.{name}"))


def parts_of(page: Page, run: str) -> dict[str, Any]:
    """What the server shows of a run."""
    shown = page.evaluate("(id) => fetch(`/rabbithole/runs/${id}`).then((answer) => answer.json())", run)
    parts: dict[str, Any] = shown["parts"]
    return parts


def answers(parts: dict[str, Any]) -> list[str]:
    return [answer["text"] for one in parts["rounds"] for answer in one["answers"]]

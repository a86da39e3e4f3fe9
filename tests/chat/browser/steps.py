"""What a person does, one step a function."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Page, expect

from rabbithole.workflow.chat.locales import Language, say

# What the servers of these tests ask back about, and make a plan for that waits (``asking.py``).
QUESTIONS: dict[Language, str] = {
    "de": "Was gilt für die Lüftung in einem Aquarium, und wer prüft die Filter?",
    "en": "How are filters tested in an aquarium, and who keeps the records?",
}


DONE = '.rh-status[data-status="done"]'
"""The state of the run; tasks and places have one of their own."""
NAMELESS = """() => [...document.querySelectorAll('button, a, input, textarea, select, [role=button]')]
  .filter((node) => node.offsetParent !== null || node.ownerSVGElement)
  .filter((node) => !(node.getAttribute('aria-label') || node.textContent.trim() || node.title
    || (node.labels && node.labels.length && node.labels[0].textContent.trim())))
  .map((node) => node.outerHTML.slice(0, 120))"""

FITS = """(width) => document.documentElement.scrollWidth <= width
  && [...document.querySelectorAll('.rh-card')].every((card) => card.getBoundingClientRect().right <= width + 1)"""

SCREENS = os.environ.get("RABBITHOLE_SCREENS")  # a folder: keep pictures of every screen there


def picture(page: Page, name: str) -> None:
    if SCREENS:
        page.wait_for_timeout(600)
        page.screenshot(path=Path(SCREENS) / f"{name}.png")


def say_to(page: Page, text: str) -> None:
    page.click("#chat-input")
    page.keyboard.insert_text(text)
    page.keyboard.press("Enter")


def ask(page: Page, question: str) -> None:
    """Type a question and send it."""
    page.wait_for_selector(".rh-start, .rh-report")
    page.fill("#chat-input", question) if page.locator("textarea#chat-input").count() else _type(page, question)
    page.keyboard.press("Enter")


def _type(page: Page, text: str) -> None:
    page.click("#chat-input")
    page.keyboard.insert_text(text)


def show_theme(page: Page, dark: bool) -> None:
    """Show light or dark as the frame does; when it is loaded, it chooses what the browser prefers."""
    page.evaluate("dark => document.documentElement.classList.toggle('dark', dark)", dark)


def fits(page: Page, width: int) -> None:
    """Nothing is wider than the screen, in light and dark; every control has a name."""
    for dark in (True, False):
        show_theme(page, dark)
        page.wait_for_function(FITS, arg=width)  # the frame draws itself anew after its width has changed
    assert page.evaluate(NAMELESS) == []


def to_start(page: Page) -> None:
    """Begin another conversation, without loading the page anew."""
    page.click("#new-chat-button")
    page.wait_for_selector(".rh-example")


def to_conversation(page: Page, thread: str) -> None:
    """Open a conversation in the list on the left, without loading the page anew."""
    page.locator(f"[data-sidebar] a[href$='/thread/{thread}']").first.click()


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


def past_questions(page: Page) -> None:
    """Wait for the plan after an answer, and answer no more questions if there are any."""
    page.wait_for_selector(".rh-plan, .rh-ask fieldset")
    if page.locator("[id^=end-]").count():
        page.click("[id^=end-]")
    page.wait_for_selector(".rh-plan")


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
    """What the server shows of a run; asked beside the page, which may be loading itself anew."""
    address = urljoin(page.url, f"/rabbithole/runs/{run}")
    parts: dict[str, Any] = page.request.get(address, headers={"sec-fetch-site": "same-origin"}).json()["parts"]
    return parts


def answers(parts: dict[str, Any]) -> list[str]:
    return [answer["text"] for one in parts["rounds"] for answer in one["answers"]]

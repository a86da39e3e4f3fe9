"""After a reload, a killed server or a stop, nothing is lost and no input is processed twice."""

from __future__ import annotations

import pytest
from chat.browser.conftest import Opening, Server, Starting
from chat.browser.steps import DONE, answers, finished, parts_of, past_questions, status, to_plan, to_question, to_start
from playwright.sync_api import expect

# Looks and clicks at once: between a look and a click a run can end, and its buttons go.
CLICK_IF_THERE = """(selector) => {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
}"""


def test_reload_in_each_phase_keeps_what_was_typed(at_start: Opening) -> None:
    page = at_start().page
    to_question(page)
    assert "/thread/" in page.url
    page.locator(".rh-ask .rh-input").first.fill("my own words")
    page.reload()
    expect(page.locator(".rh-ask .rh-input").first).to_have_value("my own words")
    to_plan(page)
    page.locator(".rh-plan textarea").last.fill("a changed task")
    page.reload()
    expect(page.locator(".rh-plan textarea").last).to_have_value("a changed task")
    page.click("[id^=approve-]")
    page.reload()
    finished(page)
    expect(page.locator(".rh-task", has_text="a changed task")).to_be_attached()


@pytest.fixture(scope="module")
def ended(serving: Starting) -> Server:
    """A server that is ended and started again."""
    return serving()


def test_a_killed_server_goes_on_where_it_was(ended: Server, open_tab: Opening) -> None:
    server = ended
    tab = open_tab(server.url)
    page = tab.page
    run = to_question(page)
    server.kill()
    server.start()
    status(page, "en", "interrupted")  # the page found the new server by itself
    expect(page.locator(".rh-ask fieldset").first).to_be_visible()
    page.locator(".rh-ask .rh-input").first.fill("only the rooms")
    page.click("[id^=answer-]")  # answered although nothing runs: the run is taken up again
    past_questions(page)
    server.kill()
    server.start()
    status(page, "en", "interrupted")
    page.locator(".rh-plan textarea").last.fill("Find the figures")
    page.click("[id^=approve-]")
    page.wait_for_selector(".rh-task", state="attached")
    server.kill()
    server.start()
    page.wait_for_selector(f"[id^=continue-], {DONE}")
    if page.locator("[id^=continue-]").count():
        page.click("[id^=continue-]")
    finished(page)
    parts = parts_of(page, run)
    assert answers(parts) == ["only the rooms"]  # once
    tasks = [part["text"] for name, part in parts.items() if name.startswith("task.")]
    assert tasks.count("Find the figures") == 1
    assert len(tasks) == len(set(tasks))
    to_start(page)
    expect(page.locator(".rh-runs li").first).to_have_attribute("data-status", "done")
    assert tab.errors == []


def test_stop_report_so_far_continue_and_leave(ended: Server, open_tab: Opening) -> None:
    server = ended
    page = open_tab(server.url).page
    page.on("dialog", lambda dialog: dialog.accept())  # ending the server is asked back
    run = to_question(page)
    thread = page.url
    to_plan(page)
    page.click(f"#stop-{run}")
    status(page, "en", "stopped")
    to_start(page)
    line = page.locator(f".rh-runs li[data-run='{run}']")
    expect(line).to_have_attribute("data-status", "stopped")
    line.get_by_role("link").click()
    page.click(f"#continue-{run}")
    page.wait_for_selector(".rh-plan")
    page.click("[id^=approve-]")
    page.wait_for_selector(".rh-task", state="attached")
    if not page.evaluate(CLICK_IF_THERE, ".rh-progress button[title]"):  # gone when the run is done
        to_start(page)
        page.get_by_role("button", name="Save & quit").click()
    page.wait_for_selector(".rh-left")
    assert server.left(20) == 0
    page.goto("about:blank")  # one that stays open would load itself anew as soon as a server answers
    server.start()
    page.goto(thread)
    page.wait_for_selector(f"[id^=continue-], {DONE}")
    if page.locator(f"#continue-{run}").count():
        page.click(f"#continue-{run}")
    finished(page)

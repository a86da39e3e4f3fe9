"""A reload, a lost connection, a second tab, a killed server: nothing is lost and nothing is taken twice."""

from __future__ import annotations

import os
from typing import Any

import pytest
from chat.browser.conftest import Opening, Server, Starting, free_port
from chat.browser.steps import finished, status, to_plan, to_question
from chat.browser.wire import Wire
from playwright.sync_api import Page, expect

# The frame asks for two connections when a conversation is opened by its address; this holds back the first.
FIRST_CONNECTION_LAST = """
  let asked = 0;
  const send = window.fetch.bind(window);
  const held = (answer) => new Promise((go) => setTimeout(go, 1500, answer));
  window.fetch = (input, init) => {
    const answer = send(input, init);
    const first = String(input.url || input).includes("/set-session-cookie") && ++asked === 1;
    return first ? answer.then(held) : answer;
  };
"""
# Looks and clicks at once: between a look and a click a run can end, and its buttons go.
CLICK_IF_THERE = """(selector) => {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
}"""
LOST_SECONDS = int(os.environ.get("RABBITHOLE_LOST_SECONDS", "7"))  # 60 for the real thing


def parts_of(page: Page, run: str) -> dict[str, Any]:
    """What the server shows of a run."""
    shown = page.evaluate("(id) => fetch(`/rabbithole/runs/${id}`).then((answer) => answer.json())", run)
    parts: dict[str, Any] = shown["parts"]
    return parts


def answers(parts: dict[str, Any]) -> list[str]:
    return [answer["text"] for one in parts["rounds"] for answer in one["answers"]]


def test_reload_in_each_phase_keeps_what_was_typed(server: Server, open_tab: Opening) -> None:
    page = open_tab(server.url).page
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
    page.reload()
    finished(page)


def test_a_conversation_is_spoken_to_whichever_connection_is_answered_last(server: Server, open_tab: Opening) -> None:
    page = open_tab(server.url).page
    run = to_question(page)
    page.add_init_script(FIRST_CONNECTION_LAST)
    page.reload()
    page.wait_for_selector(".rh-ask fieldset")
    page.wait_for_timeout(2500)  # whatever connects has connected
    page.click("#chat-input")
    page.keyboard.insert_text("nothing but wing B")
    page.keyboard.press("Enter")
    page.wait_for_timeout(2500)
    assert answers(parts_of(page, run)) == ["nothing but wing B"]


def test_two_tabs_show_the_same_and_an_answer_counts_once(server: Server, open_tab: Opening) -> None:
    first = open_tab(server.url).page
    to_question(first)
    second = open_tab(first.url, context=first.context).page
    second.wait_for_selector(".rh-ask fieldset")
    second.click("[id^=end-]")
    second.wait_for_selector(".rh-plan")
    first.wait_for_selector(".rh-plan")
    assert first.locator(".rh-ask fieldset").count() == 0
    texts = [tab.locator(".rh-plan textarea").first.input_value() for tab in (first, second)]
    assert texts[0] == texts[1]
    first.click("[id^=approve-]")
    finished(second)
    finished(first)


@pytest.mark.timeout(120 + 3 * LOST_SECONDS)
def test_a_lost_connection_is_caught_up_in_each_phase(serving: Starting, open_tab: Opening) -> None:
    """Longer than the frame keeps a session, so that it has to begin a new one for the same conversation."""
    server = serving(SESSION_SECONDS="4")  # no less: a busy machine takes that long to connect
    wire = Wire(free_port(), server.port)
    page = open_tab(wire.url).page
    lost = page.locator(".rh-progress [role=alert]")

    def cut(phase_seconds: float) -> None:
        wire.pull()
        expect(lost).to_be_visible()
        page.wait_for_timeout(phase_seconds * 1000)
        wire.plug()
        expect(lost).to_have_count(0)

    # in the middle of the questions: what was typed stays, what happened elsewhere shows
    to_question(page)
    page.locator(".rh-ask .rh-input").first.fill("my own words")
    cut(LOST_SECONDS)
    expect(page.locator(".rh-ask .rh-input").first).to_have_value("my own words")
    elsewhere = open_tab(page.url.replace(wire.url, server.url)).page  # a browser of its own, on the same machine
    elsewhere.wait_for_selector(".rh-ask fieldset")
    wire.pull()
    elsewhere.click("[id^=end-]")
    elsewhere.wait_for_selector(".rh-plan")
    wire.plug()
    page.wait_for_selector(".rh-plan")
    # while it digs
    page.click("[id^=approve-]")
    page.wait_for_selector(".rh-task", state="attached")
    wire.pull()
    page.wait_for_timeout(LOST_SECONDS * 1000)
    wire.plug()
    finished(page)
    # the composer works again: a follow-up question begins another run
    page.click("#chat-input")
    page.keyboard.insert_text("And what about the tests?")
    page.keyboard.press("Enter")
    begun = page.locator(".rh-progress").nth(1)
    kept = page.locator("#chat-input", has_text="And what about the tests?")
    expect(begun.or_(kept).first).to_be_visible()
    for _ in range(20):  # a page that is loaded anew, sooner or later, brings back what it could not send
        page.wait_for_timeout(3000)
        if page.locator(".rh-ask fieldset").count():
            break
        if kept.count():
            kept.press("Enter")
    page.wait_for_selector(".rh-ask fieldset")
    assert page.locator(".rh-progress").count() == 2


def test_a_killed_server_goes_on_where_it_was(serving: Starting, open_tab: Opening) -> None:
    server = serving()
    tab = open_tab(server.url)
    page = tab.page
    to_question(page)
    server.kill()
    server.start()
    status(page, "en", "interrupted")  # the page found the new server by itself
    expect(page.locator(".rh-ask fieldset").first).to_be_visible()
    page.locator(".rh-ask .rh-input").first.fill("only the rooms")
    page.click("[id^=answer-]")  # answered although nothing runs: the run is taken up again
    page.wait_for_selector(".rh-plan, .rh-ask fieldset")
    if page.locator("[id^=end-]").count():
        page.click("[id^=end-]")
    page.wait_for_selector(".rh-plan")
    server.kill()
    server.start()
    status(page, "en", "interrupted")
    page.locator(".rh-plan textarea").last.fill("Find the figures")
    page.click("[id^=approve-]")
    page.wait_for_selector(".rh-task", state="attached")
    server.kill()
    server.start()
    page.wait_for_selector('[id^=continue-], [data-status="done"]')
    if page.locator("[id^=continue-]").count():
        page.click("[id^=continue-]")
    finished(page)
    run = page.evaluate("fetch(location.pathname.replace(/.*/, '/rabbithole/start')).then((answer) => answer.json())")
    parts = parts_of(page, run["runs"][0]["id"])
    assert answers(parts) == ["only the rooms"]  # once
    tasks = [part["text"] for name, part in parts.items() if name.startswith("task.")]
    assert tasks.count("Find the figures") == 1
    assert len(tasks) == len(set(tasks))
    page.goto(server.url)
    expect(page.locator(".rh-runs li").first).to_have_attribute("data-status", "done")
    assert tab.errors == []


def test_stop_report_so_far_continue_and_leave(serving: Starting, open_tab: Opening) -> None:
    server = serving()
    page = open_tab(server.url).page
    run = to_question(page)
    to_plan(page)
    page.click(f"#stop-{run}")
    status(page, "en", "stopped")
    page.goto(server.url)
    line = page.locator(f".rh-runs li[data-run='{run}']")
    expect(line).to_have_attribute("data-status", "stopped")
    line.get_by_role("link").click()
    page.click(f"#continue-{run}")
    page.wait_for_selector(".rh-plan")
    page.click("[id^=approve-]")
    page.wait_for_selector(".rh-task", state="attached")
    if not page.evaluate(CLICK_IF_THERE, ".rh-progress button[title]"):  # gone when the run is done
        page.goto(server.url)
        page.get_by_role("button", name="Save & quit").click()
    page.wait_for_selector(".rh-left")
    assert server.left(20) == 0
    server.start()
    page.goto(server.url)
    line = page.locator(f".rh-runs li[data-run='{run}']")
    line.get_by_role("link").click()
    page.wait_for_selector('[id^=continue-], [data-status="done"]')
    if page.locator(f"#continue-{run}").count():
        page.click(f"#continue-{run}")
    finished(page)

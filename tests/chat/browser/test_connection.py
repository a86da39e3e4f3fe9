"""With a lost connection, two at once or a second tab, nothing is lost and no input is processed twice."""

from __future__ import annotations

import os

import pytest
from chat.browser.conftest import Opening, Server, Starting, free_port
from chat.browser.steps import QUESTIONS, answers, finished, parts_of, past_questions, say_to, to_question
from chat.browser.wire import Wire
from playwright.sync_api import Page, TimeoutError, expect

# The frame asks for two connections when a conversation is opened by its address; this holds back the first.
FIRST_CONNECTION_LAST = """
  let asked = 0;
  const send = window.fetch.bind(window);
  const held = (answer) => new Promise((go) => setTimeout(() => { window.letGo = true; go(answer); }, 1500));
  window.fetch = (input, init) => {
    const answer = send(input, init);
    const first = String(input.url || input).includes("/set-session-cookie") && ++asked === 1;
    return first ? answer.then(held) : answer;
  };
"""
# Longer than the server keeps its session (``forgetful``); 60 for the real thing.
LOST_SECONDS = int(os.environ.get("RABBITHOLE_LOST_SECONDS", "5"))


def shown(page: Page, selector: str, seconds: float) -> bool:
    try:
        page.wait_for_selector(selector, timeout=seconds * 1000)
    except TimeoutError:
        return False
    return True


def test_two_tabs_show_the_same_and_an_answer_counts_once(at_start: Opening, open_tab: Opening) -> None:
    """The second is spoken to whichever of its connections is answered last."""
    first = at_start().page
    run = to_question(first)
    second = open_tab(first.url, context=first.context, script=FIRST_CONNECTION_LAST).page
    second.wait_for_selector(".rh-ask fieldset")
    second.wait_for_function("window.letGo")
    second.wait_for_timeout(1000)  # whatever connects has connected
    say_to(second, "nothing but wing B")
    expect(second.locator(".rh-said")).to_contain_text("nothing but wing B")
    past_questions(second)
    first.wait_for_selector(".rh-plan")
    expect(first.locator(".rh-ask fieldset")).to_have_count(0)
    texts = [tab.locator(".rh-plan textarea").first.input_value() for tab in (first, second)]
    assert texts[0] == texts[1]
    first.click("[id^=approve-]")
    finished(second)
    finished(first)
    assert answers(parts_of(first, run)) == ["nothing but wing B"]
    second.close()


@pytest.fixture(scope="module")
def forgetful(serving: Starting) -> Server:
    """A server that drops its session before the connection is back, so that the frame has to begin a new one."""
    return serving(SESSION_SECONDS="4")  # no less: a busy machine takes that long to connect


@pytest.fixture
def wire(forgetful: Server) -> Wire:
    return Wire(free_port(), forgetful.port)


def test_a_connection_lost_in_each_phase_is_caught_up(forgetful: Server, wire: Wire, open_tab: Opening) -> None:
    page = open_tab(wire.url).page
    lost = page.locator(".rh-progress [role=alert]")
    run = to_question(page)
    form = parts_of(page, run)["question"]["id"]
    page.locator(".rh-ask .rh-input").first.fill("my own words")
    wire.pull()
    expect(lost).to_be_visible()
    page.wait_for_timeout(LOST_SECONDS * 1000)
    wire.plug()
    expect(lost).to_have_count(0)
    expect(page.locator(".rh-ask .rh-input").first).to_have_value("my own words")

    # what happened elsewhere meanwhile shows when the connection is back
    wire.pull()
    expect(lost).to_be_visible()
    answered = page.request.post(
        f"{forgetful.url}/rabbithole/runs/{run}/answer",
        data={"id": form, "answers": [], "end": True},
        headers={"origin": forgetful.url},
    )
    assert answered.ok
    wire.plug()
    page.wait_for_selector(".rh-plan")

    # while it digs
    page.click("[id^=approve-]")
    page.wait_for_selector(".rh-task", state="attached")
    wire.pull()
    page.wait_for_timeout(LOST_SECONDS * 1000)
    wire.plug()
    finished(page)
    # after that: the page is loaded anew and brings back what it could not send, though it was asked before
    wire.pull()
    page.evaluate("rabbithole.api('/library').catch(() => null)")  # a page at rest seldom asks for anything
    page.wait_for_timeout(LOST_SECONDS * 1000)
    page.evaluate("window.before = true")
    say_to(page, QUESTIONS["en"])
    wire.plug()
    page.wait_for_function("!window.before")
    finished(page)
    kept = page.locator("#chat-input", has_text=QUESTIONS["en"])
    expect(kept).to_be_visible()
    # the composer works again: the question begins another run
    for _ in range(20):
        if shown(page, ".rh-ask fieldset", 3):
            break
        if kept.count():
            kept.press("Enter")
    page.wait_for_selector(".rh-ask fieldset")
    expect(page.locator(".rh-progress")).to_have_count(2)

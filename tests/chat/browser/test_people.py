"""Uploads, logins, keyboards, small screens."""

from __future__ import annotations

from pathlib import Path

from chat.browser.conftest import Opening, Server, Starting
from chat.browser.steps import (
    DONE,
    NAMELESS,
    QUESTIONS,
    finished,
    parts_of,
    to_plan,
    to_question,
    to_start,
)
from pdfs import write_pdf
from playwright.sync_api import Page, Route, expect

from rabbithole.workflow.chat.users import hash_password, save_users

# What each frame shows, right before it is painted, for as long as the page is there.
NAMELESS_EVER = f"""() => {{
  const nameless = {NAMELESS};
  window.namelessEver = [];
  const look = () => {{ window.namelessEver.push(...nameless()); requestAnimationFrame(look); }};
  look();
}}"""


def test_a_dropped_pdf_is_searchable_a_bad_one_is_one_sentence_and_a_draft_is_checked(
    serving: Starting, open_tab: Opening, tmp_path: Path
) -> None:
    server = serving()
    page = open_tab(server.url, "de-DE").page
    page.wait_for_selector(".rh-example")
    good = write_pdf(tmp_path / "Handbuch.pdf", ["1 Kühlung der Anlage\n\nDie Kühlung läuft stets mit zwei Pumpen."])
    bad = tmp_path / "kaputt.pdf"
    bad.write_bytes(b"%PDF-1.7 no more than that")
    page.set_input_files("input[type=file] >> nth=0", [good, bad])
    page.wait_for_selector("#chat-submit:not([disabled])")
    page.click("#chat-submit")
    expect(page.get_by_text("Handbuch.pdf ist jetzt in der Sammlung Uploads (Seiten: 1)")).to_be_visible()
    refused = page.get_by_text("kaputt.pdf wurde nicht hinzugefügt:")
    expect(refused).to_be_visible()
    assert "Traceback" not in refused.inner_text()
    draft = tmp_path / "Entwurf.md"
    draft.write_text("Nach § 950 IsoLG ist alles erlaubt.", encoding="utf-8")
    page.set_input_files("input[type=file] >> nth=0", [draft])
    page.click("#chat-input")
    page.keyboard.insert_text("Bitte prüfen")
    page.wait_for_selector("#chat-submit:not([disabled])")
    page.click("#chat-submit")
    expect(page.get_by_text("Entwurf.md geprüft: 1 Verweise, Zitate und Zahlen; 1 falsch")).to_be_visible()
    to_start(page)
    expect(page.locator(".rh-collections")).to_contain_text("Uploads")


def test_two_people_see_their_own_research_only(serving: Starting, open_tab: Opening, tmp_path: Path) -> None:
    users = tmp_path / "users.json"
    save_users(users, {name: hash_password(f"{name} {name}", cost=2**10) for name in ("ann", "bob")})
    server = serving(CHAINLIT_AUTH_SECRET="s" * 64, USERS_FILE=str(users))

    def log_in(page: Page, name: str, password: str) -> None:
        page.fill("#email", name)
        page.fill("#password", password)
        page.keyboard.press("Enter")

    ann, bob = open_tab(server.url).page, open_tab(server.url).page
    log_in(ann, "ann", "wrong")
    expect(ann.get_by_text("Name or password is wrong.")).to_be_visible()
    log_in(ann, "ann", "ann ann")
    run = to_question(ann)
    assert ann.locator(".rh-progress").get_by_role("button", name="Save & quit").count() == 0
    bob.wait_for_selector("#password")  # nobody yet
    closed = bob.evaluate(
        """async (run) => (await Promise.all(['start', `runs/${run}`, `runs/${run}/export/json`, 'documents/x',
            'documents/x/file', 'documents/x/pages/0', 'documents/x/pages/0.png']
            .map((path) => fetch(`/rabbithole/${path}`))
        )).map((answer) => answer.status)""",
        run,
    )
    assert closed == [401] * 7
    log_in(bob, "bob", "bob bob")
    bob.wait_for_selector(".rh-example")
    assert bob.locator(".rh-runs").count() == 0
    answers = bob.evaluate(
        """async (run) => (await Promise.all(
            [fetch(`/rabbithole/runs/${run}`),
             fetch(`/rabbithole/runs/${run}/stop`, {method: 'POST'}),
             fetch('/rabbithole/leave', {method: 'POST'})])).map((answer) => answer.status)""",
        run,
    )
    assert answers == [404, 404, 404]
    guessed = bob.evaluate(
        """async (run) => (await Promise.all(['export/json', 'export/svg', 'answer', 'plan', 'continue', 'partial',
            'adopt'].map((path) => fetch(`/rabbithole/runs/${run}/${path}`,
            path.startsWith('export') ? {} : {method: 'POST',
                body: JSON.stringify(path === 'plan' ? {id: 'x', todos: [{id: 0, text: 'x'}]} : {id: 'x'})}))
        )).map((answer) => answer.status)""",
        run,
    )
    assert guessed == [404] * 7
    bob.goto(ann.url)
    bob.wait_for_timeout(1500)
    assert bob.locator(".rh-progress").count() == 0
    assert parts_of(ann, run)["head"]["waiting"]  # untouched
    expect(ann.locator(".rh-ask fieldset").first).to_be_visible()


def test_the_keyboard_alone_is_enough(server: Server, open_tab: Opening) -> None:
    page = open_tab(server.url).page
    page.wait_for_selector(".rh-example")

    def tab_to(selector: str) -> None:
        for _ in range(90):
            if page.evaluate("name => document.activeElement.matches(name)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by the keyboard")

    page.locator("body").focus()
    tab_to(".rh-example")
    page.keyboard.press("Enter")
    page.wait_for_selector(DONE)  # it names its document, and the plan is the question alone: nothing to decide
    page.evaluate(NAMELESS_EVER)
    tab_to(".rh-chip")
    expect(page.locator(".rh-tip[role=tooltip]")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_selector(".rh-words mark")
    page.wait_for_function("document.activeElement.matches('.rh-scroll')")  # there, and back again
    page.keyboard.press("Escape")
    expect(page.locator(".rh-page")).to_have_count(0)
    page.wait_for_function("document.activeElement.matches('.rh-chip')")
    tab_to("[data-card=map-card] > summary")
    page.keyboard.press("Enter")
    page.wait_for_selector(".rh-node[role=button]")  # drawn only now: who is faster goes past it
    tab_to(".rh-node[role=button]")
    tab_to("#chat-input")
    page.keyboard.insert_text(QUESTIONS["en"])
    page.keyboard.press("Enter")
    page.wait_for_selector(".rh-ask fieldset")
    tab_to(".rh-option input")
    page.keyboard.press("Space")
    tab_to("[id^=end-]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".rh-plan")
    tab_to("[id^=approve-]")
    page.keyboard.press("Enter")
    finished(page)
    assert page.evaluate("window.namelessEver") == []


def test_a_form_goes_when_it_is_sent_and_what_has_the_focus_keeps_it(at_start: Opening) -> None:
    page = at_start().page
    to_question(page)
    page.locator(".rh-ask .rh-input").first.fill("my own words")
    shown: list[int] = []  # forms while the server has not answered yet

    def refuse(route: Route) -> None:
        shown.append(page.locator(".rh-ask").count())
        route.fulfill(status=500, json={"error": "The disk is full."})

    def accept(route: Route) -> None:
        shown.append(page.locator(".rh-ask").count())
        route.continue_()

    page.route("**/answer", refuse)
    page.click("[id^=answer-]")
    expect(page.locator(".rh-ask [role=alert]")).to_have_text("The disk is full.")
    expect(page.locator(".rh-ask .rh-input").first).to_have_value("my own words")
    page.unroute("**/answer")
    to_plan(page)
    page.route("**/plan", accept)
    page.click("[id^=approve-]")
    finished(page)
    assert shown == [0, 0]

    # the frame draws each element anew when a message arrives or an answer is awaited
    chip = page.locator(".rh-chip").first.element_handle()
    chip.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")  # came by keyboard: the pointer, wherever it is, hides nothing
    page.evaluate(
        """(text) => {
          const composer = document.querySelector('#chat-input'), chip = document.activeElement;
          composer.focus();
          document.execCommand('insertText', false, text);
          chip.focus();
        }""",
        QUESTIONS["en"],
    )
    page.wait_for_selector("#chat-submit:not([disabled])")
    page.evaluate("document.querySelector('#chat-submit').click()")
    page.wait_for_selector(".rh-ask")
    assert chip.evaluate("chip => chip === document.activeElement")
    expect(page.locator(".rh-tip[role=tooltip]")).to_be_visible()

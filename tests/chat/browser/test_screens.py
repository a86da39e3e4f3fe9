"""Screens that no other test passes: settings, documents, failure, a large map, in both languages and themes."""

from __future__ import annotations

import pytest
from chat.browser.conftest import LARGE, Opening, Server
from chat.browser.steps import ask, picture, say_to, show_theme, to_conversation
from chat.browser.test_reading import serious
from playwright.sync_api import expect

from bench.running.chat_pages import THREAD
from rabbithole.workflow.chat.locales import Language, say

SIZES = {"": (1280, 720), "-tablet": (820, 1180), "-phone": (390, 844)}
# Each screen is shown in two sizes and themes, the one in which it is used last.
LOOKS: dict[Language, tuple[tuple[str, bool], ...]] = {
    "de": (("-tablet", True), ("", False)),
    "en": (("-phone", False), ("", True)),
}


@pytest.mark.parametrize("language", ["de", "en"])
def test_screens(without_model: Server, open_tab: Opening, language: Language) -> None:
    tab = open_tab(without_model.url, "de-DE" if language == "de" else "en-US", size=SIZES[""], dark=language == "en")
    page = tab.page
    findings: list[str] = []

    def look(screen: str) -> None:
        for size, dark in LOOKS[language]:
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            show_theme(page, dark)
            picture(page, f"{screen}{size}-{language}")
            findings.extend(serious(page, f"{screen}{size}"))

    page.wait_for_selector(".rh-example")
    expect(page.locator("[data-reasoner] strong")).to_have_text(say(language, "reasoner.gone"))
    look("start")

    page.click("#chat-settings-open-modal")
    expect(page.get_by_role("dialog")).to_contain_text(say(language, "settings.upload_collection"))
    look("settings")
    page.keyboard.press("Escape")

    page.click(".rh-held")  # what is there, for whoever sees it for the first time
    page.wait_for_selector(".rh-document")
    page.locator(".rh-document input[type=checkbox]").first.check()
    look("documents-chosen")
    page.fill(".rh-documents input[type=search]", "IsoLV")
    page.keyboard.press("Escape")  # from the field too, where the browser alone would only empty it
    expect(page.locator(".rh-documents")).to_have_count(0)
    page.click("#rh-scope")
    page.get_by_role("button", name=say(language, "documents.reset")).click()
    page.keyboard.press("Escape")

    ask(page, "Was regelt die IsoLV?" if language == "de" else "What does ILA SG-7 say about filters?")
    expect(page.locator(".rh-progress .rh-error")).to_contain_text(say(language, "failure.model"))
    expect(page.locator(".rh-progress .rh-error")).to_contain_text("127.0.0.1:9")
    expect(page.locator("[id^=continue-]")).to_be_visible()
    look("failure")

    # the map is drawn when it is unfolded
    to_conversation(page, THREAD)
    page.wait_for_selector(".rh-report .rh-chip")
    card = page.locator("[data-card=map-card]")
    expect(card).to_be_visible()
    assert page.locator(".rh-node").count() == 0
    card.locator("summary").first.click()
    expect(page.locator(".rh-node")).to_have_count(1)  # no reference connects the others with the place cited
    card.locator(".rh-legend input").check()
    expect(page.locator(".rh-node")).to_have_count(LARGE + 1)
    page.get_by_label(say("en", "map.fit"), exact=True).click()  # it belongs to an English report
    page.locator(".rh-map").evaluate("map => map.scrollIntoView({block: 'center', behavior: 'instant'})")
    look("map-large")

    # what is too long stands in the field again
    say_to(page, "Was gilt für die Lüftung? " * 700)
    note = page.get_by_text(say(language, "note.too_long", count="#", most="").partition("#")[0])
    expect(note.last).to_be_visible()  # the other language's test may have left one in this conversation
    page.wait_for_function("document.querySelector('#chat-input')?.value?.length > 10000")
    findings.extend(serious(page, "too-long"))

    assert findings == [], "\n".join(findings)
    assert tab.errors == []


def test_the_language_of_the_frame_can_be_chosen(server: Server, open_tab: Opening) -> None:
    tab = open_tab(server.url)
    page = tab.page

    def choose(before: Language, name: str, after: Language) -> None:
        page.click("#chat-settings-open-modal")
        page.get_by_label(say(before, "settings.interface"), exact=True).click()
        page.get_by_role("option", name=say(before, f"settings.interface.{name}")).click()
        page.click("#confirm")
        expect(page.locator("h1")).to_have_text(say(after, "start.title"))
        assert page.evaluate("document.documentElement.lang") == after

    page.wait_for_selector(".rh-example")
    choose("en", "de", "de")
    picture(page, "frame-chosen-de")
    say_to(page, "How often are the filters tested, and by whom? " * 900)  # what the server says is in it, too
    expect(page.get_by_text(say("de", "note.too_long", count="#", most="").partition("#")[0])).to_be_visible()
    page.click("#new-chat-button")
    page.wait_for_selector(".rh-example")
    choose("de", "auto", "en")
    assert tab.errors == []

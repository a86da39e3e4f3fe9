"""Screens that no other test passes: settings, documents, failure, a large map, in both languages and themes."""

from __future__ import annotations

import pytest
from chat.browser.conftest import LARGE, Opening, Server
from chat.browser.steps import ask, picture
from chat.browser.test_reading import serious
from playwright.sync_api import expect

from bench.running.chat_pages import THREAD
from rabbithole.workflow.chat.locales import Language, say

SIZES = {"": (1280, 720), "-tablet": (820, 1180), "-phone": (390, 844)}


@pytest.mark.parametrize(
    ("language", "size", "dark"),
    [("de", "", False), ("en", "", True), ("de", "-tablet", True), ("en", "-phone", False)],
)
def test_screens(without_model: Server, open_tab: Opening, language: Language, size: str, dark: bool) -> None:
    tab = open_tab(without_model.url, "de-DE" if language == "de" else "en-US", size=SIZES[size], dark=dark)
    page = tab.page
    page.wait_for_selector(".rh-example")
    expect(page.locator("[data-reasoner] strong")).to_have_text(say(language, "reasoner.gone"))
    findings = serious(page, "start")

    page.click("#chat-settings-open-modal")
    expect(page.get_by_role("dialog")).to_contain_text(say(language, "settings.upload_collection"))
    picture(page, f"settings{size}-{language}")
    findings += serious(page, "settings")
    page.keyboard.press("Escape")

    page.click("#rh-scope")
    page.wait_for_selector(".rh-document")
    page.locator(".rh-document input[type=checkbox]").first.check()
    picture(page, f"documents-chosen{size}-{language}")
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
    picture(page, f"failure{size}-{language}")
    findings += serious(page, "failure")

    # the map is drawn when it is unfolded
    page.goto(f"{without_model.url}/thread/{THREAD}")
    page.wait_for_selector(".rh-report .rh-chip")
    card = page.locator("[data-card=map-card]")
    expect(card).to_be_visible()
    assert page.locator(".rh-node").count() == 0
    card.locator("summary").first.click()
    expect(page.locator(".rh-node")).to_have_count(LARGE)
    page.get_by_label(say(language, "map.fit"), exact=True).click()
    page.locator(".rh-map").evaluate("map => map.scrollIntoView({block: 'center'})")
    picture(page, f"map-large{size}-{language}")
    findings += serious(page, "map")

    assert findings == [], "\n".join(findings)
    assert tab.errors == []

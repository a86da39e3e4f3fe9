"""Each failure is shown in one clear sentence, with a remedy."""

from __future__ import annotations

import sqlite3

from chat.browser.conftest import Opening, Starting
from chat.browser.steps import ask, finished, to_plan, to_question, to_report
from playwright.sync_api import Page, expect

from rabbithole.kb import KbSettings, KnowledgeBase


def sentence(page: Page, start: str) -> None:
    shown = page.get_by_text(start).last
    expect(shown).to_be_visible()
    text = shown.inner_text()
    assert "Traceback" not in text
    assert len(text) < 400


def test_a_model_server_that_does_not_answer(serving: Starting, open_tab: Opening) -> None:
    server = serving(REASONER="ollama", OLLAMA_BASE_URL="http://127.0.0.1:9")
    page = open_tab(server.url, "de-DE").page
    ask(page, "Was regelt die IsoLV?")
    expect(page.locator(".rh-progress .rh-error")).to_contain_text("127.0.0.1:9")
    expect(page.locator("[id^=continue-]")).to_be_visible()


def test_a_question_before_there_are_documents(serving: Starting, open_tab: Opening) -> None:
    server = serving()
    with KnowledgeBase.open(server.kb, KbSettings(_env_file=None, embedding_model="hash")) as kb:
        kb.remove("Sample")
    page = open_tab(server.url, "de-DE").page
    ask(page, "Was regelt die IsoLV?")
    expect(page.get_by_text("Es gibt noch keine Dokumente.").last).to_be_visible()
    assert page.locator(".rh-progress").count() == 0


def test_a_disk_and_a_knowledge_base_that_fail(serving: Starting, open_tab: Opening) -> None:
    server = serving()
    page = open_tab(server.url).page
    to_question(page)
    to_plan(page)
    to_report(page)
    thread = page.url
    with sqlite3.connect(server.state / "chat.sqlite") as record:
        record.execute("alter table events rename to elsewhere")
    page.goto(server.url)
    ask(page, "What does ILA SG-7 say about ventilation?")
    sentence(page, "cannot be written")
    with sqlite3.connect(server.state / "chat.sqlite") as record:
        record.execute("alter table elsewhere rename to events")

    with sqlite3.connect(server.kb / "catalog.sqlite") as catalog:
        catalog.execute("alter table documents rename to elsewhere")
    page.goto(server.url)
    sentence(page, "cannot be read")
    page.goto(thread)  # the conversation is still there to read
    sentence(page, "cannot be read")
    expect(page.locator(".rh-report .rh-prose").first).to_be_visible()
    with sqlite3.connect(server.kb / "catalog.sqlite") as catalog:
        catalog.execute("alter table elsewhere rename to documents")
    page.goto(thread)
    finished(page)

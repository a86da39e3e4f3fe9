"""Each failure is shown in one clear sentence, with a remedy."""

from __future__ import annotations

import sqlite3

from chat.browser.conftest import Opening, Starting, store_research
from chat.browser.steps import ask, finished
from playwright.sync_api import Page, expect

from bench.running.chat_pages import THREAD
from rabbithole.kb import KbSettings, KnowledgeBase


def sentence(page: Page, start: str) -> None:
    shown = page.get_by_text(start).last
    expect(shown).to_be_visible()
    text = shown.inner_text()
    assert "Traceback" not in text
    assert len(text) < 400


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
    store_research(server, 3, 1)
    thread = f"{server.url}/thread/{THREAD}"
    page = open_tab(thread).page
    finished(page)
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

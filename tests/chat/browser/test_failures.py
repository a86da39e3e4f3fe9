"""Each failure is shown in one clear sentence, with a remedy."""

from __future__ import annotations

import sqlite3

from chat.browser.conftest import Opening, Starting, store_research
from chat.browser.steps import ask, finished, to_conversation, to_start
from playwright.sync_api import Page, expect

from bench.running.chat_pages import THREAD
from rabbithole.kb import KbSettings, KnowledgeBase


def sentence(page: Page, start: str) -> None:
    shown = page.get_by_text(start).last
    expect(shown).to_be_visible()
    text = shown.inner_text()
    assert "Traceback" not in text
    assert len(text) < 400


def test_a_disk_and_a_knowledge_base_that_fail_and_no_documents(serving: Starting, open_tab: Opening) -> None:
    server = serving()
    store_research(server, 3, 1)
    page = open_tab(server.url).page
    to_conversation(page, THREAD)
    finished(page)
    to_start(page)
    with sqlite3.connect(server.state / "chat.sqlite") as record:
        record.execute("alter table events rename to elsewhere")
    ask(page, "What does ILA SG-7 say about ventilation?")
    sentence(page, "cannot be written")
    with sqlite3.connect(server.state / "chat.sqlite") as record:
        record.execute("alter table elsewhere rename to events")

    with sqlite3.connect(server.kb / "catalog.sqlite") as catalog:
        catalog.execute("alter table documents rename to elsewhere")
    page.click("#new-chat-button")
    sentence(page, "cannot be read")
    to_conversation(page, THREAD)  # it is still there to read
    expect(page.locator(".rh-report .rh-prose").first).to_be_visible()
    sentence(page, "cannot be read")
    with sqlite3.connect(server.kb / "catalog.sqlite") as catalog:
        catalog.execute("alter table elsewhere rename to documents")
    to_start(page)
    to_conversation(page, THREAD)
    finished(page)

    with KnowledgeBase.open(server.kb, KbSettings(_env_file=None, embedding_model="hash")) as kb:
        kb.remove("Sample")
    page.click("#new-chat-button")
    empty = page.get_by_text("There are no documents yet.")
    expect(empty).to_be_visible()
    ask(page, "What does ILA SG-7 say about ventilation?")
    expect(page.locator(".rh-start")).to_have_count(0)
    expect(empty).to_be_visible()
    assert page.locator(".rh-progress").count() == 0

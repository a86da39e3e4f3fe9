"""A draft sent with the word "check" is checked against the collections and not added to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.workflow.chat.conversation.draft_message import asks_for_check, checked, rows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("check", True),
        ("Check this draft, please", True),
        ("Bitte prüfe diesen Entwurf", True),
        ("Prüfen", True),
        ("", False),
        ("What is checked every year?", False),
        ("Prüfungsordnung", False),
    ],
)
def test_which_words_ask_for_a_check(text: str, expected: bool) -> None:
    assert asks_for_check(text) is expected


def test_what_is_wrong_is_listed_and_nothing_is_added(small_kb: KnowledgeBase, tmp_path: Path) -> None:
    held = small_kb.count()
    file = tmp_path / "1f2e"
    file.write_text("Section 950 of the Air Act rules it, and so does RFC 19999 <b>.", encoding="utf-8")
    found = checked(small_kb, file, "../draft.md", ())
    said = rows(found, "en")
    assert len(found.wrong) + len(found.open) == len(said.splitlines()) > 0
    assert "<b>" not in said
    assert small_kb.count() == held


def test_a_file_that_is_no_draft_is_said_to_be(small_kb: KnowledgeBase, tmp_path: Path) -> None:
    file = tmp_path / "1f2e"
    file.write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(UsageError, match="damaged"):
        checked(small_kb, file, "draft.docx", ())

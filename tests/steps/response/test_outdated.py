"""Whether the newest edition was read, as the checks below a report say."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.records import IndexedDocument
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond
from tests.kb_records import knowledge_base, record


@pytest.mark.parametrize(
    ("note", "newest"),
    [
        ("", None),  # there is only one edition of each
        ("replaced by NEUE SATZUNG, which is held", True),
        ("replaced by NEUESTE SATZUNG, which is held", False),
        ("a later edition is held: ALTE SATZUNG", False),  # of the same title
        ("status: repealed", False),
    ],
)
def test_a_replaced_edition_counts_unless_the_one_that_replaces_it_is_quoted_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, note: str, newest: bool | None
) -> None:
    old = record("Alte Satzung", [("1", "Fee\nThe yearly fee for a garden is 20 euros.")], language="en")
    new = record("Neue Satzung", [("1", "Fee\nThe yearly fee for a garden is 30 euros.")], language="en")
    with knowledge_base(tmp_path, old, new) as kb:
        monkeypatch.setattr(
            KnowledgeBase, "validity_note", lambda _, document: note if document == old.document.id else ""
        )
        question = "How much is the yearly fee for a garden?"
        made = respond(kb, understand(kb, question, "en"))
        quoted = {one.evidence.title for block in made.blocks for one in (*block.passages, *block.others)}
    assert quoted == {old.document.title, new.document.title}
    assert made.newest is newest


def test_an_older_edition_does_not_lead_if_a_newer_one_answers_too(tmp_path: Path) -> None:
    fee = "Fee\nThe yearly fee for a garden with a hut is {} euros."
    old = record("Statutes of 7 May 2014", [("1", fee.format(20))], language="en")
    new = record("Statutes", [("1", fee.format(30).replace(" with a hut", ""))], language="en")
    with knowledge_base(tmp_path, dated(old, "2014-05-07"), dated(new, "2024-03-18")) as kb:
        for question, first in (
            ("How much is the yearly fee for a garden with a hut?", "30 euros"),
            ("How much is the yearly fee for a garden with a hut in the statutes of 2014?", "20 euros"),
        ):
            (block,) = respond(kb, understand(kb, question, "en")).blocks
            assert first in block.passages[0].text


def dated(made: IndexedDocument, date: str) -> IndexedDocument:
    document = made.document.model_copy(update={"metadata": {"date": date, "year": int(date[:4])}})
    return made.model_copy(update={"document": document})

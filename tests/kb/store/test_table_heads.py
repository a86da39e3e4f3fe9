"""A passage that goes on with a table is indexed with the table's title, unit and columns."""

from __future__ import annotations

import pytest
from kb_records import record

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.records import embedding_texts
from rabbithole.kb.store.table_heads import table_head

TABLE = "| | 2019 | 2020 |\n| --- | --- | --- |\n| North | 4 | 5 |\n| South | 6 | 7 |\nThe end."


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        (f"Net sales\nin million EUR\n{TABLE}", "| South", "Net sales\nin million EUR\n| | 2019 | 2020 |"),
        (f"Net sales\n{TABLE}", "6 | 7", "Net sales\n| | 2019 | 2020 |"),
        (TABLE, "| South", "| | 2019 | 2020 |"),
        (f"{'A long sentence before it. ' * 8}\n{TABLE}", "| South", "| | 2019 | 2020 |"),
        (f"Net sales\n{TABLE}", "| | 2019", ""),  # its first row
        (f"Net sales\n{TABLE}", "The end", ""),
        (f"Net sales\n{TABLE}", "Net", ""),
        ("| --- |\n| --- |\n| a |", "| a |", ""),  # no columns
        ("|", "|", ""),
    ],
)
def test_heads(text, at, expected) -> None:
    assert table_head(text, text.index(at)) == expected


def test_an_empty_text_has_none() -> None:
    assert table_head("", 0) == ""


def test_the_year_of_a_column_finds_a_later_part_of_its_table(tmp_path) -> None:
    rows = "".join(f"| Region {number} | {number} |\n" for number in range(40))
    table = f"Exports in million EUR\n| | 2019 |\n| --- | --- |\n{rows}"
    cut = table.index("| Region 20")
    made = record("report", [("", table[:cut].strip()), ("", table[cut:].strip())], language="en")
    assert [text.count("2019") for text in embedding_texts("", made.chunks, made.text)] == [1, 1]
    others = record("other", [(str(at), "The harvest of Region 33 was early.") for at in range(3)], language="en")
    with KnowledgeBase.open(tmp_path, KbSettings(embedding_model="hash", _env_file=None), create=True) as kb:
        vectors = [kb.embed(list(embedding_texts("", one.chunks, one.text))) for one in (made, others)]
        kb.put([(made, vectors[0]), (others, vectors[1])])
        found = kb.search("exports 2019 Region 33", mode="keyword").hits[0].chunk
        assert found.start >= cut, "the row, not the head alone"
        kb.store.release()

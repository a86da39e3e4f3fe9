"""What is said of documents that share a title or a designation."""

from __future__ import annotations

import pytest
from kb_records import knowledge_base, record

from rabbithole.kb.ingest.run.collection_health import shared


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([], []),
        (["a.pdf"], []),
        (
            ["a.pdf", "b.pdf"],
            [
                "b.pdf has the same designation; if it is wrong here, correct it with "
                "`rabbithole kb name a.pdf --number N`"
            ],
        ),
        (
            ["d.pdf", "a.pdf", "c.pdf", "b.pdf"],
            [
                "d.pdf, c.pdf and 1 more have the same designation; if it is wrong here, correct it with "
                "`rabbithole kb name a.pdf --number N`"
            ],
        ),
    ],
)
def test_others_are_named_with_the_command(files: list[str], expected: list[str]) -> None:
    assert [one.replace("NUMBER", "N") for one in shared("a.pdf", files, "designation", "number")] == expected


def test_a_file_name_with_blanks_is_quoted() -> None:
    (said,) = shared("my rules.pdf", ["my rules.pdf", "b.pdf"], "title", "title")
    assert said.endswith("`rabbithole kb name 'my rules.pdf' --title TITLE`")


def test_the_health_of_a_collection_names_the_other_document(tmp_path) -> None:
    number = {"designation": "I41b2023"}
    one, other = (record(name, [("1", "Text.")], metadata=number) for name in ("Examination Rules", "Study Rules"))
    with knowledge_base(tmp_path, one, other, record("House Rules", [("1", "Text.")])) as kb:
        (health,) = kb.health()
        rows = {row.file: row.warnings for row in health.documents}
    assert [warning.split(";")[0] for warning in rows["Examination Rules.pdf"]] == [
        "Study Rules.pdf has the same designation"
    ]
    assert not rows["House Rules.pdf"]

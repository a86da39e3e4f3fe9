"""Which of two documents is the newer edition of the same work."""

from __future__ import annotations

import pytest

from rabbithole.kb.models import Document
from rabbithole.steps.editions import is_newer, newest_read


def document(key: str, title: str, date: str) -> Document:
    return Document(
        id=key, collection="C", file=f"{key}.pdf", path=f"/{key}.pdf", title=title, language="de", pages=1,
        metadata={"date": date} if date else {},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("title", "date", "other_title", "other_date", "newer"),
    [
        ("Studienordnung Informatik vom 7. Mai 2014", "2014-05-07", "Studienordnung Informatik", "2024-03-18", True),
        ("Studienordnung Informatik", "2024-03-18", "Studienordnung Informatik vom 7. Mai 2014", "2014-05-07", False),
        ("Studienordnung Informatik", "2014", "Studienordnung Chemie", "2024", False),
        ("Rules of the Garden (2019)", "2019", "Rules of the Garden (2023)", "2023", True),
        ("LAB 1981", "1996", "LAB 2026", "2006", False),
        ("Rules of the Garden", "", "Rules of the Garden", "2023", False),
        ("Rules of the Garden", "2023", "Rules of the Garden", "2023", False),
    ],
)
def test_editions_of_one_work(title: str, date: str, other_title: str, other_date: str, newer: bool) -> None:
    assert is_newer(document("b", other_title, other_date), document("a", title, date)) is newer


OLD, NEW = "Rules of the Garden (2019)", "Rules of the Garden (2023)"
HELD = [document("old", OLD, "2019"), document("new", NEW, "2023"), document("fees", "Fees", "2021")]


@pytest.mark.parametrize(
    ("quoted", "notes", "newest"),
    [
        ((), {}, None),
        (("fees",), {}, None),
        (("new",), {}, True),
        (("new", "fees"), {}, True),
        (("old",), {}, False),
        (("old", "new"), {}, True),
        (("fees",), {"fees": "status: repealed"}, False),
        (("old",), {"old": f"a later edition is held: {NEW}"}, False),
        (("old", "new"), {"old": f"a later edition is held: {NEW}"}, True),
    ],
)
def test_whether_the_newest_edition_is_quoted(
    quoted: tuple[str, ...], notes: dict[str, str], newest: bool | None
) -> None:
    assert newest_read([one for one in HELD if one.id in quoted], HELD, notes) is newest

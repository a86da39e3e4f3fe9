"""Which of two documents is the newer edition of the same work."""

from __future__ import annotations

import pytest

from rabbithole.kb.models import Document
from rabbithole.steps.editions import edition_notes, is_newer, newest_read
from rabbithole.steps.phrases import is_own_phrase


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
        ("SATZUNG 2014", "2014", "SATZUNG 2024", "2024", True),
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


FIRST, SECOND = document("a", "Lab Rules of 3 May 2012", "2012-05-09"), document("b", "Lab Rules", "2021-06-01")


@pytest.mark.parametrize(
    ("quoted", "validity", "language", "notes"),
    [
        ((FIRST,), {}, "en", ("Lab Rules of 3 May 2012 is an older edition than Lab Rules (1 June 2021).",)),
        ((FIRST, SECOND), {}, "de", ("Lab Rules of 3 May 2012 ist eine ältere Ausgabe als Lab Rules (1. Juni 2021).",)),
        ((SECOND,), {}, "en", ()),
        (
            (document("c", "TR 4347", "2006"),),
            {"c": "replaced by TR 6347, which is held"},
            "en",
            ("What the collection says about TR 4347 (2006): Replaced by TR 6347, which is in the collection too.",),
        ),
        (
            (document("d", "Fees", "").model_copy(update={"metadata": {"status": "außer Kraft"}}),),
            {},
            "de",
            ("Fees gilt laut den Angaben zur Sammlung nicht mehr (außer Kraft).",),
        ),
        ((document("e", "Fees", "").model_copy(update={"metadata": {"status": "in Kraft"}}),), {}, "de", ()),
    ],
)
def test_what_is_said_of_older_editions(
    quoted: tuple[Document, ...], validity: dict[str, str], language: str, notes: tuple[str, ...]
) -> None:
    said = edition_notes(quoted, (FIRST, SECOND), {}, validity, language)
    assert said == notes
    assert all(is_own_phrase(language, one) for one in said)  # which needs no citation

"""Documents of one knowledge base are told apart by their short names."""

from __future__ import annotations

from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Document
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.distinct_names import differing_words, distinct_names, name_in, names_in

RULES = "Rules for the yearly examination of laboratory workers and their guests from other countries in the programme"
GUIDE = "Guide for Mapping Types of Filters and Filter Systems to Categories of Safety in Rooms of All Kinds,"


def _documents(*held: tuple[str, int]) -> list[Document]:
    return [
        Document(
            id=f"d{at}", collection="c", file=f"in/{at}.pdf", path="", title=title, pages=1, metadata={"year": year}
        )
        for at, (title, year) in enumerate(held)
    ]


SHOWN = "Rules for the yearly examination of laboratory workers and their guests from other countries"
FAR = f"{RULES} of the university, department of"
SHOWN_GUIDE = "Guide for Mapping Types of Filters and Filter Systems to Categories of Safety in Rooms of All Kinds"
LAB = "Rules of the Lab"


@pytest.mark.parametrize(
    ("held", "names"),
    [
        (  # what differs is at the end of what is shown
            [
                (f"{RULES} Glass in the faculty of matter and form", 2014),
                (f"{RULES} Metal in the faculty of matter and form", 2014),
            ],
            [f"{SHOWN} in the programme Glass … (2014)", f"{SHOWN} in the programme Metal … (2014)"],
        ),
        (  # behind what would be shown
            [(f"{FAR} glass and sand", 2014), (f"{FAR} metal and sand", 2014)],
            [f"{SHOWN} … of glass and sand (2014)", f"{SHOWN} … of metal and sand (2014)"],
        ),
        (  # a volume, with the word that says so
            [
                (f"{GUIDE} Volume 1 for all who work with them and their guests", 2008),
                (f"{GUIDE} Volume 2 for all who work with them and their guests", 2008),
            ],
            [f"{SHOWN_GUIDE}, Volume 1 … (2008)", f"{SHOWN_GUIDE}, Volume 2 … (2008)"],
        ),
        (  # what differs is shown as it is
            [(f"{RULES} Glass of 7 May 2014", 2014), (f"{RULES} Glass of 8 June 2021", 2021)],
            [f"{SHOWN} … of 7 May 2014", f"{SHOWN} … of 8 June 2021"],
        ),
        (  # equal abbreviations have the words that differ
            [("Prüfungsordnung Glas (PrO)", 2014), ("Prüfungsordnung Metall (PrO)", 2015)],
            ["PrO (Glas)", "PrO (Metall)"],
        ),
        ([("Prüfungsordnung 2014 (PrO)", 2014), ("Prüfungsordnung 2015 (PrO)", 2015)], ["PrO (2014)", "PrO (2015)"]),
        ([(LAB, 2014), (LAB, 2021)], [f"{LAB} (2014)", f"{LAB} (2021)"]),
        ([(LAB, 2014), (LAB, 2014)], [f"{LAB} (0.pdf)", f"{LAB} (1.pdf)"]),
        ([(LAB, 2014), ("Rules of the Club", 2014)], [LAB, "Rules of the Club"]),
    ],
)
def test_names_show_what_tells_documents_apart(held: list[tuple[str, int]], names: list[str]) -> None:
    assert list(distinct_names(_documents(*held)).values()) == names


@pytest.mark.parametrize(
    ("title", "file", "name"),
    [
        ("User's Manual", "print/gutenprint-users-manual.pdf", "User's Manual (gutenprint-users-manual.pdf)"),
        ("Handbuch", "Handbuch.pdf", "Handbuch"),  # the file says no more
        ("FAQ", "UserFAQ.pdf", "FAQ"),
        ("Satzung", "satzung_ccc.pdf", "Satzung (satzung_ccc.pdf)"),
        ("Gutenprint User's Manual", "x.pdf", "Gutenprint User's Manual"),
        ("RFC 8446", "x.pdf", "RFC 8446"),
    ],
)
def test_a_name_that_only_says_the_kind_of_document_has_the_file(title: str, file: str, name: str) -> None:
    held = Document(id="d", collection="c", file=file, path="", title=title, pages=1)
    assert distinct_names([held]) == {"d": name}


def test_a_title_without_its_like_is_shortened_to_its_beginning() -> None:
    (name,) = distinct_names(_documents((f"{RULES} Glass in the faculty of matter", 2014))).values()
    assert name == f"{SHOWN} in the programme Glass … (2014)"


def test_each_place_at_which_titles_part_is_found() -> None:
    titles = ["Rules for glass, old", "Rules for glass: new", "Rules for metal", "Guide"]
    assert differing_words(titles) == {titles[0]: (2, 3), titles[1]: (2, 3), titles[2]: (2,), titles[3]: ()}


def test_the_names_of_a_knowledge_base_follow_its_documents(tmp_path: Path) -> None:
    for name in ("old", "new"):
        write_pdf(tmp_path / "pdf" / f"{name}.pdf", [f"1 Rules\n\nThe {name} rules."], title="Rules of the Lab")
    settings = KbSettings(_env_file=None, embedding_model="hash")
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([tmp_path / "pdf" / "old.pdf"], "C")
        (old,) = kb.documents()
        assert name_in(kb, old) == "Rules of the Lab"
        kb.ingest([tmp_path / "pdf" / "new.pdf"], "C")
        assert name_in(kb, old) == "Rules of the Lab (old.pdf)"
        assert names_in(kb) is names_in(kb)

"""Names in a question that documents bear in their title or first lines, also as initials."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.records import IndexedDocument
from rabbithole.steps.question import understand
from rabbithole.steps.question.document_scope import borne_names, initials
from tests.kb_records import knowledge_base, record


@pytest.mark.parametrize(
    ("text", "has", "lacks"),
    [
        ("Hochschule für Technik und Wirtschaft Dresden", {"htw", "htwd", "twd"}, {"hftuw", "ht"}),
        ("School of Engineering, and the Arts", {"sea"}, {"soe", "soeata"}),
        ("Verein der Freunde des Parks", {"vfp"}, {"vdf"}),
        ("Chaos Computer Club Mannheim", {"ccc", "cccm", "ccm"}, {"cc"}),
        ("Freie Werkstatt", set(), {"fw"}),  # too short
        ("Der Club. Technik. Wirtschaft.", set(), {"dct", "ctw"}),  # no run of words
        ("Technik mit Wirtschaft mit Design", set(), {"twd"}),
    ],
)
def test_initials_over_small_words(text: str, has: set[str], lacks: set[str]) -> None:
    found = initials(text)
    assert has <= found
    assert not lacks & found


def rules(name: str, title: str, opening: str) -> IndexedDocument:
    made = record(name, [("", opening), ("§ 1", "Gebühr\nDie Gebühr beträgt 20 Euro im Semester.")])
    return made.model_copy(update={"document": made.document.model_copy(update={"title": title})})


SCHOOL = "Hochschule für Technik\nund Wirtschaft Talheim"
TITLED = rules("a", "Ordnung der Hochschule für Technik und Wirtschaft", "Ordnung")
OPENED = rules("b", "Gebührenordnung", f"{SCHOOL}\nAmtliche Bekanntmachung")
OTHERS = [rules(name, f"Ordnung {name}", f"Akademie {name} in Nordheim") for name in ("c", "d", "e")]


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with knowledge_base(Path(tmp_path_factory.mktemp("scope")) / "kb", TITLED, OPENED, *OTHERS) as opened:
        yield opened


def test_initials_of_a_title_or_of_first_lines_say_whose_documents_are_meant(kb: KnowledgeBase) -> None:
    assert set(understand(kb, "Wie hoch ist die Gebühr an der HTW?", "de").preferred) == {"a", "b"}
    assert not understand(kb, "Wie hoch ist die Gebühr an der TWH?", "de").preferred


@pytest.mark.parametrize(
    ("query", "document", "names"),
    [
        ("Was regelt § 1 an der HTW in Talheim?", "b", 2),
        ("Was regelt § 1 an der HTW in Talheim?", "c", 0),
        ("Was regelt § 1 an der HTW in Nordheim?", "c", 1),
        ("Talheim: was regelt § 1?", "b", 0),  # at the beginning of a sentence any word has a capital
    ],
)
def test_the_names_of_a_question_in_the_first_lines_of_a_document(
    kb: KnowledgeBase, query: str, document: str, names: int
) -> None:
    assert borne_names(kb, kb.document(document), query) == names


def test_initials_that_other_documents_write_as_a_word_are_no_name(tmp_path: Path) -> None:
    titled = rules("a", "Ordnung", "Sabine Meier Sommer und andere\nOrdnung")
    other = rules("b", "Merkblatt", "Ein Code kommt per SMS.")
    with knowledge_base(tmp_path, titled, other, *OTHERS) as kb:
        assert not understand(kb, "Kommt der Code per SMS?", "de").preferred


def test_the_year_of_a_date_is_no_edition(tmp_path: Path) -> None:
    titled = rules("a", "Ordnung 2023", "Ordnung")
    with knowledge_base(tmp_path, titled, *OTHERS) as kb:
        assert understand(kb, "Was gilt in der Ordnung von 2023?", "de").preferred == ("a",)
        assert not understand(kb, "Was gilt für Formulare vom November 2023?", "de").preferred


@pytest.mark.parametrize(
    ("query", "documents"),
    [
        ("Was gilt unter der Freien Talheimer Garten Lizenz für die Weitergabe?", ("a",)),
        ("Was gilt nach der Großen Ordnung für Feste von 2019 bei einer Weitergabe?", ("c",)),
        ("Was gilt nach der Großen Ordnung für Feste?", ("b", "c")),
    ],
)
def test_the_whole_title_of_a_document_names_it_in_any_inflection(
    tmp_path: Path, query: str, documents: tuple[str, ...]
) -> None:
    licence = rules("a", "Freie Talheimer Garten Lizenz", "Text")
    editions = [
        one.model_copy(update={"document": one.document.model_copy(update={"metadata": {"year": year}})})
        for one, year in ((rules("b", "Große Ordnung für Feste", "Feste"), 2014),
                          (rules("c", "Große Ordnung für Feste", "Feste"), 2019))
    ]  # fmt: skip
    others = [rules(name, f"Bedingungen {name} für die Weitergabe", "Bedingungen") for name in ("d", "e", "f")]
    with knowledge_base(tmp_path, licence, *editions, *others) as kb:
        assert understand(kb, query, "de").preferred == documents

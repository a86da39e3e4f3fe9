"""Which passages bear on the question in a knowledge base with several subjects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.models import Anchor, ChainLink, Evidence
from rabbithole.steps.phases.bearing import bearing, from_closest

BEES = [
    "§ 2 Anzeige\n\nWer Bienen hält, zeigt dies der Behörde innerhalb von zwei Wochen schriftlich an. Näheres: § 3."
]
BOATS = ["§ 7 Liegeplatz\n\nDie Behörde vergibt Liegeplätze für Segelboote nach der Reihenfolge der Anträge."]


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder: Path = tmp_path_factory.mktemp("kb")
    write_pdf(folder / "bees" / "BienG.pdf", BEES, title="Bienengesetz (BienG)")
    write_pdf(folder / "boats" / "HafenO.pdf", BOATS, title="Hafenordnung (HafenO)")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as opened:
        opened.ingest([folder / "bees"], "bees")
        opened.ingest([folder / "boats"], "boats")
        yield opened


def passages(kb: KnowledgeBase) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            key=f"e00000{number}",
            task=0,
            document=document.id,
            title=document.title,
            start=0,
            end=len(kb.text(document.id)),
            info="",
        )
        for number, document in enumerate(kb.documents())
    )


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("Innerhalb welcher Frist muss ich der Behörde anzeigen, dass ich Bienen halte?", {"Bienengesetz (BienG)"}),
        ("Wie vergibt die Behörde Liegeplätze für Segelboote?", {"Hafenordnung (HafenO)"}),
        ("Welche Rinder grasen?", {"Bienengesetz (BienG)", "Hafenordnung (HafenO)"}),  # no word tells them apart
    ],
)
def test_a_passage_on_another_subject_does_not_bear_on_the_question(
    kb: KnowledgeBase, question: str, titles: set[str]
) -> None:
    near = bearing(kb, Anchor(query=question, language="de"), passages(kb))
    assert {one.title for one in near} == titles


def test_without_passages_there_are_none(kb: KnowledgeBase) -> None:
    assert bearing(kb, Anchor(query="Wie?", language="de"), ()) == ()


def test_a_chain_goes_on_only_from_the_closest_passages(kb: KnowledgeBase) -> None:
    found = passages(kb)
    followed = [
        item.model_copy(
            update={
                "key": f"e1111{number}",
                "chain": (ChainLink(document=item.document, section=None, reference="§ 3", kind="section"),),
                "document": "elsewhere",
            }
        )
        for number, item in enumerate(found)
    ]
    question = "Innerhalb welcher Frist muss ich der Behörde anzeigen, dass ich Bienen halte?"
    (kept,) = from_closest(kb, Anchor(query=question, language="de"), found, followed)
    (root,) = (item for item in found if item.title.startswith("Bienen"))
    assert kept.chain[0].document == root.document

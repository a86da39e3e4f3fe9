"""Figures in tables: the rows that a ratio is made of, and what is bold in a quoted table."""

from __future__ import annotations

from pathlib import Path

import pytest
from kb_records import knowledge_base, record

from rabbithole.steps.models import Evidence
from rabbithole.steps.question import understand
from rabbithole.steps.response import respond, response_markdown
from rabbithole.steps.response.figures.figure_block import table_first
from rabbithole.steps.response.figures.stated_tables import stated_tables
from rabbithole.steps.response.figures.table_marks import with_marks, year_columns
from rabbithole.steps.response.models import QuotedPassage

BALANCE = """Balance sheets
(in millions)
|  | December 31, 2022 | December 31, 2021 |
| --- | --- | --- |
| Cash and cash equivalents | $318.7 | $402.5 |
| Accounts receivable, less allowances | 742.9 | 689.3 |
| Prepaid expenses | 97.2 | 88.6 |
| Total current assets | 2,020.3 | 1,874.4 |
| Total current liabilities | 1,180.7 | 946.3 |
| Goodwill | 9.4 | 9.4 |"""
CASH = """Statements of cash flows
(in millions)
|  | Year ended December 31, 2022 | Year ended December 31, 2021 |
| --- | --- | --- |
| Changes in assets and liabilities: |  |  |
| Inventories | (159.2) | (88.7) |
| Accounts receivable | (48.9) | (72.4) |
| Purchases of property, plant and equipment | (186.4) | (161.2) |"""
EVIDENCE = Evidence(
    key="e1", info="", document="d", file="f.pdf", title="Report", start=0, end=90, page=1, task=0, score=1.0
)


def answer(tmp_path: Path, question: str) -> str:
    prose = [(str(number), "The ratio of women in the board rose; we are quick to act.") for number in range(3, 9)]
    with knowledge_base(tmp_path, record("report", [("1", BALANCE), ("2", CASH), *prose], language="en")) as kb:
        return response_markdown(respond(kb, understand(kb, question, "en")), "en")


def test_a_ratio_is_answered_by_the_rows_it_is_made_of(tmp_path: Path) -> None:
    text = answer(tmp_path, "What was the quick ratio for FY2022?")
    assert "No passage states “quick ratio” as asked." in text
    assert "> (in millions)\n>\n> |  | December 31, 2022 | December 31, 2021 |" in text
    assert "> | **Cash and cash equivalents** | **$318.7** | $402.5 |" in text
    assert "> | **Total current liabilities** | **1,180.7** | 946.3 |" in text
    assert "Goodwill" not in text
    assert "(48.9)" not in text  # a change during the year


def test_a_figure_with_another_name_in_statements_is_found_by_it(tmp_path: Path) -> None:
    text = answer(tmp_path, "How much was capex in 2021?")
    assert "| **Purchases of property, plant and equipment** | (186.4) | **(161.2)** |" in text


def test_no_rows_stand_for_a_year_that_no_table_has(tmp_path: Path) -> None:
    text = answer(tmp_path, "What was the quick ratio for FY2018?")
    assert "No passage states" not in text


def test_the_tables_of_a_section_have_their_unit_above_them() -> None:
    (table,) = stated_tables(BALANCE)
    assert BALANCE[slice(*table.head)].startswith("(in millions)\n|  | December 31, 2022")
    assert table.columns == ("", "December 31, 2022", "December 31, 2021")
    assert [row.label for row in table.rows][:1] == ["Cash and cash equivalents"]


@pytest.mark.parametrize(
    ("columns", "question", "places"),
    [
        (["", "2022", "2021"], "How much in 2021?", (2,)),
        (["", "31.12.2023", "31.12.2022"], "Wie viel Ende 2022?", (2,)),
        (["", "2022", "2021", "2022 v. 2021"], "How much in 2021?", (2,)),
        (["", "January 28, 2023", "January 29, 2022"], "How much in fiscal 2022?", ()),  # either may be meant
        (["", "January 28, 2023", "January 29, 2022"], "How much on January 29, 2022?", (2,)),
        (["", "2022", "2021"], "How much?", ()),
    ],
)
def test_the_column_of_a_year(columns: list[str], question: str, places: tuple[int, ...]) -> None:
    assert year_columns(columns, question) == places


@pytest.mark.parametrize(
    ("question", "bold"),
    [
        ("How much were prepaid expenses in 2021?", ["Prepaid expenses", "88.6"]),
        ("How much were prepaid expenses?", ["Prepaid expenses"]),
        ("How high is the tower?", []),
    ],
)
def test_the_row_and_the_year_asked_for_are_bold(question: str, bold: list[str]) -> None:
    passage = QuotedPassage(evidence=EVIDENCE, text=BALANCE, kind="table")
    marked = with_marks(passage, question, "en")
    assert [marked.text[slice(*span)] for span in marked.bold] == bold


def test_the_column_of_a_segment_is_bold_where_years_stand_in_the_rows() -> None:
    rows = ("| in Mio. EUR | Antriebe | Getriebe |", "| --- | --- | --- |", "| Umsatzerlöse 2022 | 530,9 | 426,5 |")
    text = "\n".join((*rows, "| EBIT 2022 | 38,2 | 36,4 |"))
    passage = QuotedPassage(evidence=EVIDENCE, text=text, kind="table")
    marked = with_marks(passage, "Wie hoch war der Umsatz im Segment Getriebe im Jahr 2022?", "de")
    assert [marked.text[slice(*span)] for span in marked.bold] == ["Umsatzerlöse 2022", "426,5"]


def test_running_text_keeps_its_marks() -> None:
    passage = QuotedPassage(evidence=EVIDENCE, text="Prepaid expenses were 88.6 in 2021.", bold=((0, 7),))
    assert with_marks(passage, "How much were prepaid expenses in 2021?", "en") == passage


def test_a_reason_is_not_given_by_figures_alone(tmp_path: Path) -> None:
    margins = "|  | 2022 | 2021 |\n| --- | --- | --- |\n| Gross margin | 35.5 % | 36.4 % |"
    prose = "Gross margin fell by 90 basis points in 2022. The decrease was attributable to higher costs of steel."
    texts = [("1", margins), ("2", prose), *((str(number), "The weather was mild.") for number in range(3, 9))]
    with knowledge_base(tmp_path, record("report", texts, language="en")) as kb:
        text = response_markdown(
            respond(kb, understand(kb, "What drove the change in gross margin in 2022?", "en")), "en"
        )
    assert "costs of steel" in text
    assert text.find("costs of steel") < (text.find("| Gross") if "| Gross" in text else len(text))


def test_a_row_whose_label_is_a_code_is_bold_by_its_words() -> None:
    rows = ("| Code | Size | Content |", "| --- | --- | --- |", "| 9 | 8 | Sound of both sides |")
    text = "\n".join((*rows, "| 10 | 16 | Largest rate that is taken |"))
    passage = QuotedPassage(evidence=EVIDENCE, text=text, kind="table")
    marked = with_marks(passage, "Which code tells the largest rate?", "en")
    assert [marked.text[slice(*span)] for span in marked.bold] == ["10"]


@pytest.mark.parametrize(
    ("said", "first"),
    [("Messages have codes. Table 5.1 lists them.", 1), ("Table 5 lists them.", 0), ("See Table 5.10.", 0)],
)
def test_the_rows_that_a_passage_refers_to_stand_before_it(said: str, first: int) -> None:
    prose = QuotedPassage(evidence=EVIDENCE, text=said, bold=((0, 8),))
    head = "Table 5.1: Codes\n| Code | Size |\n| --- | --- |"
    row = QuotedPassage(evidence=EVIDENCE, text="| 10 | 16 |", head=head, kind="table", bold=((2, 4),))
    found = table_first((prose, row))
    assert [one.text for one in found] == ([row.text, said] if first else [said, row.text])
    assert bool(found[first].bold) is not bool(first)

"""Labels of sections in citations."""

from __future__ import annotations

from rabbithole.kb.models import Section
from rabbithole.kb.reading.section_label import telling_label


def section(index: int, number: str, heading: str, parent: int | None, level: int) -> Section:
    return Section(
        id=f"d:s{index}", document="d", index=index, parent=None if parent is None else f"d:s{parent}", level=level,
        number=number, heading=heading, start=index, own_end=index + 1, end=index + 1, page=0, last_page=0,
    )  # fmt: skip


def test_a_heading_that_is_repeated_is_given_with_the_part_it_stands_in() -> None:
    outline = (
        section(0, "", "Commands", None, 0),
        section(1, "", "srun(1)", 0, 1),
        section(2, "", "OPTIONS", 1, 2),
        section(3, "", "Input", 2, 3),
        section(4, "", "sbatch(1)", 0, 1),
        section(5, "", "OPTIONS", 4, 2),
        section(6, "", "Input", 5, 3),
        section(7, "§ 1", "Scope", None, 0),
        section(8, "§ 1", "Scope", None, 0),
        section(9, "", "Notes", None, 0),
        section(10, "", "Notes", None, 0),
    )
    labels = [telling_label(outline, each) for each in outline]
    assert labels == [
        "Commands", "srun(1)", "srun(1) > OPTIONS", "srun(1) > Input", "sbatch(1)", "sbatch(1) > OPTIONS",
        "sbatch(1) > Input", "§ 1 Scope", "§ 1 Scope", "Notes", "Notes",
    ]  # fmt: skip


def test_a_section_of_a_law_in_a_law_is_given_with_its_article() -> None:
    outline = (
        section(0, "Artikel 1", "Law A", None, 0),
        section(1, "Teil 1", "General", 0, 1),
        section(2, "§ 3", "Terms", 1, 2),
    )
    assert telling_label(outline, outline[2]) == "Artikel 1 § 3 Terms"


def test_the_name_of_an_option_or_a_command_is_given_with_the_section_that_describes_it() -> None:
    outline = (
        section(0, "2.1", "Options", None, 0),
        section(1, "", "threshold", 0, 1),
        section(2, "", "\\mkblockquote", 0, 1),
        section(3, "", "Further settings", 0, 1),
        section(4, "", "strict mode", 0, 1),
        section(5, "", "babel", None, 0),
    )
    assert [telling_label(outline, each) for each in outline] == [
        "2.1 Options", "2.1 Options > threshold", "2.1 Options > \\mkblockquote", "Further settings", "strict mode",
        "babel",
    ]  # fmt: skip


def test_a_numbered_part_of_a_paragraph_is_given_with_its_paragraph() -> None:
    outline = (
        section(0, "§ 3", "General", None, 0),
        section(1, "5", "Colours", 0, 1),
        section(2, "5.1", "Shades", 1, 2),
        section(3, "6", "Sizes", None, 0),
        section(4, "3", "Parts", None, 0),
        section(5, "1", "Wheels", 4, 1),
    )
    assert [telling_label(outline, each) for each in outline] == [
        "§ 3 General", "§ 3 > 5 Colours", "5.1 Shades", "6 Sizes", "3 Parts", "1 Wheels",
    ]  # fmt: skip


def test_a_numbered_section_whose_heading_is_repeated_is_given_with_its_chapter() -> None:
    outline = (
        section(0, "2", "Austria", None, 0),
        section(1, "2.1", "Fees", 0, 1),
        section(2, "2.1.1", "Limits", 1, 2),
        section(3, "3", "Italy", None, 0),
        section(4, "3.1", "Fees", 3, 1),
        section(5, "3.1.1", "Limits", 4, 2),
        section(6, "3.2", "Terms", 3, 1),
        section(7, "A.1", "Fees", None, 0),
    )
    assert [telling_label(outline, each) for each in outline] == [
        "2 Austria", "2 Austria > 2.1 Fees", "2 Austria > 2.1.1 Limits",
        "3 Italy", "3 Italy > 3.1 Fees", "3 Italy > 3.1.1 Limits", "3.2 Terms", "A.1 Fees",
    ]  # fmt: skip

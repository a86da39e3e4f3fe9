"""A PDF of many manual pages: the name in the running head is the heading around SYNOPSIS and OPTIONS."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.manual_entry import entry_of


@pytest.mark.parametrize(
    ("edges", "entry"),
    [
        (("ls(1)", "User Commands", "ls(1)", "12"), "ls(1)"),
        (("PAM.D(5)   Manual   PAM.D(5)",), "PAM.D(5)"),
        (("hal_pin(3hal)", "hal_pin(3hal)"), "hal_pin(3hal)"),
        (("ls(1)", "User Commands", "12"), ""),
        (("as in ls(1)", "Release 3"), ""),
        (("Chapter(s)", "Chapter(s)"), ""),
        ((), ""),
    ],
)
def test_the_name_in_a_running_head(edges: tuple[str, ...], entry: str) -> None:
    assert entry_of(edges) == entry


def collection(folder: Path, names: tuple[str, ...]) -> Path:
    document = pymupdf.open()
    for name in names:
        page = document.new_page()
        page.insert_text((50, 40), name, fontsize=10)
        page.insert_text((230, 40), "User Commands", fontsize=10)
        page.insert_text((480, 40), name, fontsize=10)
        top = 90
        for heading in ("SYNOPSIS", "OPTIONS"):
            page.insert_text((50, top), heading, fontsize=11, fontname="hebo")
            for row in range(1, 5):
                page.insert_text((70, top + 14 * row), f"Line {row} of what {name} says under this head.", fontsize=10)
            top += 100
    path = folder / "pages.pdf"
    document.save(path)
    return path


def test_each_manual_page_is_a_part_of_its_own(tmp_path: Path) -> None:
    names = ("lamp(1)", "lamp(1)", "motor(1)", "valve(9)", "valve(9)")
    parsed = parse_pdf(collection(tmp_path, names))
    parts = [each.heading for each in parsed.sections if each.parent < 0]
    assert parts == ["lamp(1)", "motor(1)", "valve(9)"]
    of_valve = next(index for index, each in enumerate(parsed.sections) if each.heading == "valve(9)")
    inside = [each.heading for each in parsed.sections if each.parent == of_valve]
    assert inside == ["SYNOPSIS", "OPTIONS", "SYNOPSIS", "OPTIONS"]


def test_one_manual_page_keeps_its_outline(tmp_path: Path) -> None:
    parsed = parse_pdf(collection(tmp_path, ("lamp(1)", "lamp(1)", "lamp(1)")))
    assert "lamp(1)" not in [each.heading for each in parsed.sections]
    assert "OPTIONS" in [each.heading for each in parsed.sections]

"""The sample collection is what its gold file says, and builds to the same bytes each time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import sample_builder

from rabbithole.kb.mupdf import pymupdf

BUILDER = sample_builder()
SOURCES = {source.meta["file"]: source.body for source in map(BUILDER.read_source, BUILDER.SOURCES.glob("*.md"))}


def own_text(file: str, number: str) -> str:
    """The source text of one section, up to the next heading."""
    parts = [part for part in re.split(r"\n#+ ", SOURCES[file]) if re.match(rf"{re.escape(number)}(?!\S)", part)]
    assert len(parts) == 1, f"{file} has {len(parts)} sections {number}"
    return parts[0]


def test_ten_questions_in_each_language(sample_gold: list[dict[str, Any]]) -> None:
    assert [question["language"] for question in sample_gold].count("de") == 10
    assert [question["language"] for question in sample_gold].count("en") == 10


def test_every_place_of_the_gold_exists_and_says_what_is_quoted(sample_gold: list[dict[str, Any]]) -> None:
    for question in sample_gold:
        for place in question["chain"]:
            assert place["quote"] in own_text(place["file"], place["section"])
        for place in question["wrong"]:
            assert place["file"] in SOURCES


def test_every_deeper_place_hangs_on_one_a_step_above(sample_gold: list[dict[str, Any]]) -> None:
    for question in sample_gold:
        for place in question["chain"]:
            if place["depth"]:
                assert question["chain"][place["from"]]["depth"] == place["depth"] - 1


@pytest.mark.slow
def test_the_pdfs_carry_bookmarks_labels_and_running_headers(sample_pdfs: Path) -> None:
    with pymupdf.open(sample_pdfs / "DIN 98412-3_2019-06.pdf") as document:
        assert [page.get_label() for page in document] == ["i", "ii", "1", "2", "3"]
        assert [2, "6.2 Nachweis der Wirksamkeit", 4] in document.get_toc()
        assert all("DIN 98412-3:2019-06" in page.get_text() for page in document)
    with pymupdf.open(sample_pdfs / "Hartmann Lindqvist 2016.pdf") as document:
        assert document[0].get_label() == "411"


@pytest.mark.slow
def test_building_again_gives_the_same_bytes(sample_pdfs: Path, tmp_path: Path) -> None:
    source = BUILDER.SOURCES / "IsoLG.md"
    (again,) = BUILDER.build(tmp_path, [source])
    assert again.read_bytes() == (sample_pdfs / "IsoLG.pdf").read_bytes()

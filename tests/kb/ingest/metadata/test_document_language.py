"""The language of a document is that of its own sections, judged by samples from all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.metadata.document_language import SAMPLE, SAMPLES, detect_language, most_of, samples
from rabbithole.kb.mupdf import pymupdf

GERMAN = "Der Notensatz ist eine Kunst, die man nur mit viel Erfahrung und Geduld erlernen kann. "
ENGLISH = "Everyone is permitted to copy and distribute verbatim copies of this licence document. "


@pytest.mark.parametrize(
    ("languages", "best"),
    [
        (["de"] * 7 + ["en"] * 5, "de"),
        (["de"] * 6 + ["und"] * 6, "de"),
        (["de"] * 5 + ["en"] * 4 + ["und"] * 3, "und"),
        ([], "und"),
    ],
)
def test_the_language_of_half_of_the_samples_counts(languages: list[str], best: str) -> None:
    assert most_of(languages) == best


def test_samples_are_spread_over_the_whole_text() -> None:
    text = "".join(f"{number:06}" for number in range(4000))
    found = samples(text)
    assert len(found) == SAMPLES
    assert all(len(each) == SAMPLE for each in found)
    assert (text.startswith(found[0]), text.endswith(found[-1])) == (True, True)
    assert samples("short") == ["short"]


def test_a_foreword_in_another_language_does_not_decide() -> None:
    assert detect_language(ENGLISH * 20 + GERMAN * 100) == "de"
    assert detect_language("12 34") == "und"


def test_a_licence_and_a_list_of_literature_do_not_decide(tmp_path: Path) -> None:
    document = pymupdf.open()
    outline: list[list[object]] = []
    parts = (("Notensatz", GERMAN, 2), ("Literatur", ENGLISH, 3), ("GNU Free Documentation License", ENGLISH, 3))
    for heading, sentence, pages in parts:
        for number in range(pages):
            page = document.new_page(width=595, height=842)
            if number == 0:
                page.insert_text((72, 72), heading, fontsize=16)
                outline.append([1, heading, document.page_count])
            page.insert_textbox(pymupdf.Rect(72, 90, 520, 780), sentence * 25, fontsize=10)
    document.set_toc(outline)
    document.save(tmp_path / "essay.pdf")
    parsed = parse_pdf(tmp_path / "essay.pdf")
    assert [section.heading for section in parsed.sections][-2:] == ["Literatur", "GNU Free Documentation License"]
    assert parsed.language == "de"

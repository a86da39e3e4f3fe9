"""Pages in reports are those where the words stand, in columns, hyphenated, with ligatures, on turned pages."""

import re

import pytest
from flows import research

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.mupdf import pymupdf

QUESTION = "Which dose limit applies to the office of each plant, and which notification is sufficient?"
FIRST_PRINTED = 217

PAGES = re.compile(r"\bpp?\. (\d+)(?:–\d+)? \(PDF (\d+)")


def sentences(page: int, column: int) -> list[list[str]]:
    """Lines of the sentences of one column; each sentence has a figure of its own."""
    return [
        [
            f"The dose limit for the office of plant {figure} is",
            "twenty units a year, and the noti-",
            "ﬁcation by the oﬃce is suﬃcient for",
            "every worker who enters the plant.",
        ]
        for figure in (1000 + 100 * page + 10 * column + number for number in range(3))
    ]


def set_in_columns(path, rotation: int) -> None:
    document = pymupdf.open()
    font = pymupdf.Font("cjk")  # has the ligatures
    for page_number in range(3):
        page = document.new_page(width=595, height=842)
        writer = pymupdf.TextWriter(page.rect)
        for column in range(2):
            y = 100.0
            for lines in sentences(page_number, column):
                for line in lines:
                    writer.append((60 + 250 * column, y), line, font=font, fontsize=9)
                    y += 13
        writer.append((295, 800), str(FIRST_PRINTED + page_number), font=font, fontsize=9)
        writer.write_text(page)
        page.set_rotation(rotation)
    document.save(path)


@pytest.mark.slow
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_citations_name_the_page_index_and_the_printed_page(tmp_path, rotation):
    folder = tmp_path / "pdf"
    folder.mkdir()
    set_in_columns(folder / "plants.pdf", rotation)
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "kb", settings, create=True) as kb:
        kb.ingest([folder], "Plants")
        report = research(kb, tmp_path / "runs.sqlite", query=QUESTION, initial_todo_items=1, max_iterations=1)
    assert report.citations
    named = 0
    for citation in report.citations:
        assert citation.verified
        assert citation.page_label == str(FIRST_PRINTED + citation.page)
        last = citation.page if citation.last_page is None else citation.last_page
        figures = [int(figure) // 100 - 10 for figure in re.findall(r"plant (\d{4})", citation.quote)]
        assert not figures or (min(figures), max(figures)) == (citation.page, last)
        named += len(figures)
    assert named
    printed = {int(label): int(index) for label, index in PAGES.findall(report.markdown)}
    assert printed
    assert all(label == FIRST_PRINTED + index - 1 for label, index in printed.items())

"""Footnotes in the styles people hand their work in with."""

from __future__ import annotations

import pytest

from rabbithole.steps.citation_styles import footnote
from rabbithole.steps.report_models import Citation
from rabbithole.steps.settings import CitationStyle

LAW = "Gesetz zum Schutz vor Strahlung (Strahlenschutzgesetz - StrlSchG)"


def cited(title: str, section: str, author: str = "", year: str = "", external: str = "") -> Citation:
    return Citation(
        marker="[1]", key="k", document="d", file="d.pdf", title=title, section_label=section, page=47,
        page_label="48", author=author, year=year, external=external,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("style", "citation", "language", "expected"),
    [
        ("plain", cited("Guide", "4 Limits"), "en", "Guide, 4 Limits, p. 48"),
        (
            "plain",
            cited("Guide", "4 Limits").model_copy(update={"last_page": 48, "last_page_label": "49"}),
            "en",
            "Guide, 4 Limits, pp. 48–49",
        ),
        (
            "plain",
            cited("Guide", "4 Limits").model_copy(update={"work": {"number": "TR 12 Rev. 3"}}),
            "en",
            "Guide (TR 12 Rev. 3), 4 Limits, p. 48",
        ),
        ("legal", cited(LAW, "§ 78 Grenzwerte"), "de", "§ 78 StrlSchG, S. 48"),
        (
            "legal",
            cited("Handbuch", "4 Fristen", "Beispiel", "2021"),
            "de",
            "Beispiel, Handbuch, 2021, 4 Fristen, S. 48",
        ),
        ("ieee", cited("Guide", "4 Limits", "A. Roe", "2021"), "en", "A. Roe, “Guide,” 2021, 4 Limits, p. 48."),
        ("ieee", cited("Guide", "4 Limits"), "en", "“Guide,” 4 Limits, p. 48."),
        ("apa", cited("Guide", "4 Limits", "Roe, A.", "2021"), "en", "Roe, A. (2021). Guide, 4 Limits, p. 48."),
        ("apa", cited("Guide", "4 Limits", year="2021"), "en", "Guide (2021), 4 Limits, p. 48."),
        ("apa", cited("Guide", "4 Limits", "Roe, A."), "en", "Roe, A. Guide, 4 Limits, p. 48."),
        ("apa", cited("Page", "", external="https://a.example"), "en", "Page, https://a.example"),
    ],
)
def test_each_style(style: CitationStyle, citation: Citation, language: str, expected: str) -> None:
    said = footnote(citation, language, style)
    assert said.replace("p. 48 (PDF 48)", "p. 48").replace("S. 48 (PDF 48)", "S. 48") == expected

"""For any report, the browser gets only text, headings, tables and our own citation chips."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rabbithole.steps.reasoning.text.citation_markers import own_markers_only
from rabbithole.steps.report_models import Citation
from rabbithole.workflow.chat.view.markup import draft_html, plain_html, report_html, with_anchors, without_sections

ONE = Citation(
    marker="[1]", key="e1", document="d", file="f.pdf", title='A "law" <b>', page=0, page_label="1", verified=True
)
KNOWN = {"[1]": ONE}
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/x.png)",
    "[click](javascript:alert(1))",
    "[click](https://evil.example)",
    "<https://evil.example>",
    '<a href="https://evil.example">x</a>',
    "<svg onload=alert(1)>",
    "<style>*{display:none}</style>",
    '<button class="rh-chip" data-marker="1">1</button>',
    "[x]: https://evil.example\n\n[x]",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_gets_through(text: str) -> None:
    for html in (report_html(text, KNOWN), draft_html(text), plain_html(text)):
        assert not re.search(r"<(script|img|a|svg|style|button|iframe|link|meta)\b", html)


def test_a_citation_is_a_chip_and_an_unknown_marker_is_text() -> None:
    html = report_html("Thus it is [[1]][s1], and so [[2]][s2].", KNOWN)
    assert html.count("<button") == 1
    assert 'data-marker="1"' in html
    assert "&lt;b&gt;" in html
    assert "[2]" in html


def test_links_of_the_report_become_chips() -> None:
    html = report_html('So it is. [[1]][s1]\n\n[s1]: <file:///a/f.pdf#page=1> "f.pdf"\n', KNOWN)
    assert html.count("rh-chip") == 1
    assert "file:" not in html
    assert "[s1]" not in html


def test_evidence_keys_are_not_shown() -> None:
    assert "e1a2b3" not in plain_html("It is so [e1a2b3, e4d5f6].")
    assert draft_html("It is so [e1a2b3].").count("rh-pending") == 1


def test_sections_shown_elsewhere_are_left_out() -> None:
    text = "# A\n\nbody\n\n## Sources\n\n- one\n\n## Open\n\n- two\n"
    assert without_sections(text, {"Sources"}) == "# A\n\nbody\n\n## Open\n\n- two\n"


@settings(max_examples=150)
@given(st.text(max_size=200), st.sampled_from(HOSTILE))
def test_any_text_around_changes_nothing(text: str, hostile: str) -> None:
    html = report_html(text + hostile + text, KNOWN)
    assert not re.search(r"<(script|img|a|svg|style|iframe)\b", html)


def test_a_chip_opens_the_words_quoted_before_it() -> None:
    text = "It says „first words of all“ [[1]][s1] and „others \\[2\\] there“. [[1]][s1] Plain [[1]][s1]."
    html = report_html(text, KNOWN)
    assert re.findall(r'data-quote="([^"]*)"', html) == ["first words of all", "others [2] there"]
    assert html.count('data-marker="1"') == 3


def test_quoted_words_cannot_leave_the_chip() -> None:
    html = report_html("„x&quot; onclick=alert(1) <b>y</b>“ [[1]][s1]", KNOWN)
    assert "<b>" not in html
    assert "onclick=alert(1) &lt;b&gt;" in html


def test_a_number_in_quoted_words_is_no_chip() -> None:
    html = report_html("It says „limits of Okafor et al. [1]“ [[1]][s1].", KNOWN)
    assert html.count("<button") == 1
    assert "Okafor et al. [1]" in html


PIECES = ("[1]", "[[1]]", "[s1]", "[[1]][s1]", "\\", "[", "]", "s1", " ", "\n", "> ", "`", "words")


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_no_text_of_a_document_produces_a_chip(parts: list[str]) -> None:
    assert "rh-chip" not in report_html(own_markers_only("".join(parts)), KNOWN)


def test_headings_can_be_linked() -> None:
    html, contents = with_anchors(report_html("## One *and* <b>\n\ntext\n\n## Two"), "r-1")
    assert contents == [{"id": "r-1-1", "title": "One and <b>"}, {"id": "r-1-2", "title": "Two"}]
    assert '<h2 id="r-1-2" tabindex="-1">Two</h2>' in html

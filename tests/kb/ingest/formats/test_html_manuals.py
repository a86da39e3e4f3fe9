"""HTML as generators of manuals write it: lists of terms, boxes, navigation, tables with headings at the left."""

from __future__ import annotations

import pytest

from rabbithole.kb.ingest.formats.html.html_reader import flow_of_html
from rabbithole.steps.selection.units.unit_splitting import split


def blocks(body: str) -> list[tuple[int, str]]:
    return [
        (block.level, block.text) for block in flow_of_html(f"<html><body>{body}</body></html>", "page.html").blocks
    ]


def test_a_term_stands_with_its_definition() -> None:
    body = """<dl><dt><code>ports_of_servers</code></dt><dd><p>The ports to ask.</p><p>One each.</p></dd>
      <dt>md5</dt><dd>A method.</dd>
      <dt>identifiers (<i>text</i>)</dt><dd>Names that are sent.</dd><dt>Format:</dt><dd>plain</dd></dl><p>After.</p>"""
    assert [text for _, text in blocks(body)] == [
        "ports_of_servers: The ports to ask.",
        "One each.",
        "md5: A method.",
        "identifiers (text): Names that are sent.",
        "Format: plain",
        "After.",
    ]


@pytest.mark.parametrize("mark", ["1.", "(2)", "[3]", "12", "a)", "iii)", "(iv)", "§ 5", "Nr. 3", "A.2"])
def test_a_number_before_a_definition_stays_a_number(mark: str) -> None:
    assert [text for _, text in blocks(f"<dl><dt>{mark}</dt><dd>Every sample.</dd></dl>")] == [f"{mark} Every sample."]


@pytest.mark.parametrize("term", ["What is a sample?", "A sentence that ends.", "word " * 40])
def test_a_question_or_a_long_text_is_a_line_of_its_own(term: str) -> None:
    body = f"<dl><dt>{term}</dt><dd>A thing.</dd></dl>"
    assert [text for _, text in blocks(body)] == [term.strip(), "A thing."]


def test_a_term_without_a_definition_does_not_move_on() -> None:
    body = "<dl><dt>Alone in its list</dt></dl><p>Another matter.</p>"
    assert [text for _, text in blocks(body)] == ["Alone in its list", "Another matter."]


@pytest.mark.parametrize(
    "box",
    [
        '<div class="note"><h3 class="title">Note</h3><p>Needs a key.</p></div>',
        '<aside class="Tip warning"><h4>Note</h4><p>Needs a key.</p></aside>',
        '<div class="admonition note"><p class="admonition-title">Note</p><p>Needs a key.</p></div>',
    ],
)
def test_the_title_of_a_box_begins_no_section(box: str) -> None:
    body = f"<h2>Ports</h2><p>First.</p>{box}<p>Second.</p><h2>Keys</h2>"
    assert blocks(body) == [(2, "Ports"), (0, "First."), (0, "Note: Needs a key."), (0, "Second."), (2, "Keys")]


def test_navigation_contents_and_permalinks_are_left_out() -> None:
    body = """<div class="navheader"><table><tr><td><a href="a.html">Prev</a></td><td>Chapter 3</td></tr>
      <tr><td>a</td><td>b</td></tr></table></div><div role="navigation"><a href="#x">Start</a></div>
      <dl class="toc"><dt><a href="b.html#c">6.1. Sources</a></dt><dd>6.1.1. Syntax</dd></dl>
      <h2>6. Keys<a class="headerlink" href="#keys">¶</a></h2><p>A key.<a href="#n1">*</a></p>
      <dl><dt>turn(key)<a href="#turn">¶</a></dt><dd>Turn it.</dd></dl>"""
    assert blocks(body) == [(2, "6. Keys"), (0, "A key.*"), (0, "turn(key): Turn it.")]


def test_contents_as_a_list_of_terms_are_left_out() -> None:
    terms = "".join(f'<dt><a href="#s{n}">Section number {n} of all</a></dt>' for n in range(4))
    assert blocks(f"<h1>Manual</h1><dl>{terms}</dl><p>Text.</p>") == [(1, "Manual"), (0, "Text.")]


def test_headings_at_the_left_of_a_table_are_no_head_of_its_columns() -> None:
    rows = "<tr><th>Syntax</th><td>Port NUMBER</td></tr><tr><th>Default</th><td>80</td></tr>"
    assert [text for _, text in blocks(f"<table>{rows}</table>")] == ["| Syntax | Port NUMBER |", "| Default | 80 |"]


def test_a_long_table_without_a_head_is_quoted_by_rows() -> None:
    rows = [f"| Setting number {n} | what it does, told in some words, and then in more |" for n in range(30)]
    text = "\n".join(rows)
    assert [text[unit.start : unit.end] for unit in split(text)] == rows

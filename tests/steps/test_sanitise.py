"""Only text, structure and our own links reach a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rabbithole.steps.sanitise import local_link, sanitise_html, sanitise_markdown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[S. 3](file:///kb/a.pdf#page=3)", "[S. 3](file:///kb/a.pdf#page=3)"),
        ("[S. 3](#c1)", "[S. 3](#c1)"),
        ("[S. 3](/documents/a?page=3)", "[S. 3](/documents/a?page=3)"),
        ("[x](http://127.0.0.1:8511/doc)", "[x](http://127.0.0.1:8511/doc)"),
        ("[words](https://evil.example)", "words"),
        ("[words](//evil.example/a)", "words"),
        ("[words](javascript:alert(1))", "words)"),
        ("![alt](https://evil.example/p.png)", "alt"),
        ("see https://evil.example/a now", "see `https://evil.example/a` now"),
        ("<https://evil.example>", "`https://evil.example`"),
        ("see https://evil.example/gpg. Then", "see `https://evil.example/gpg`. Then"),
        ("(https://evil.example/;) and", "(`https://evil.example/`;) and"),
        ("https://evil.example/A_(b), too", "`https://evil.example/A_(b)`, too"),
        ("https://evil.example/a?b=c:d", "`https://evil.example/a?b=c:d`"),
        ("a <b>bold</b> claim", "a &lt;b>bold&lt;/b> claim"),
        ("x < y and 3 <4", "x < y and 3 <4"),
        ("`<script>` stays code", "`<script>` stays code"),
        ("[TLS13] and [e1a2b3c4]", "[TLS13] and [e1a2b3c4]"),
    ],
)
def test_markdown(text: str, expected: str) -> None:
    assert sanitise_markdown(text) == expected


def test_reference_definitions_are_gone() -> None:
    assert "evil" not in sanitise_markdown("[a][b]\n\n[b]: https://evil.example\n")


@pytest.mark.parametrize(
    "address", ["java\tscript:alert(1)", " javascript:x", "%6aavascript:x", "data:text/html,x", "\\\\evil\\a"]
)
def test_disguised_addresses_are_foreign(address: str) -> None:
    assert not local_link(address)


def test_html_keeps_structure_and_own_links() -> None:
    html = (
        '<h2 onclick="x()">T</h2><p><a href="file:///a.pdf">S. 3</a><a href="https://evil.example">e</a><img src=x></p>'
    )
    clean = sanitise_html(html)
    assert clean.startswith("<h2>T</h2>")
    assert 'href="file:///a.pdf"' in clean
    assert "evil" not in clean
    assert "<img" not in clean


@given(st.text(alphabet=st.sampled_from("[]()!<>ahtps:/. \"'\n`jvscript"), max_size=80))
def test_nothing_rendered_leads_away(text: str) -> None:
    html = MarkdownIt("commonmark").render(sanitise_markdown(text))
    assert "<img" not in html
    assert "<script" not in html
    assert 'href="http' not in html

"""The manual or site an HTML page belongs to, as generators of manuals write it, and what that does to its title."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.formats.html.html_reader import flow_of_html, parse_html, preformatted
from rabbithole.kb.ingest.formats.html.html_site import book_of
from rabbithole.kb.ingest.formats.reader_choice import parse_file


def page(head: str, body: str = "<h1>2. Keys</h1><p>Keys are kept in a safe.</p>") -> str:
    return f"<html><head>{head}</head><body>{body}</body></html>"


NEXT = '<link rel="next" href="b.html" title="3. Locks">'


@pytest.mark.parametrize(
    ("text", "book"),
    [
        # DocBook: a link to the start page in the head, or an access key in the navigation
        (page('<title>2. Keys</title><link rel="home" href="i.html" title="Lab Guide 3.1">'), "Lab Guide 3.1"),
        (page("", '<a accesskey="h" href="i.html" title="Lab 15.2 Documentation">Home</a><h2>2. Keys</h2>'),
         "Lab 15.2 Documentation"),
        # texinfo: the manual in parentheses, the start page is only called "Top"
        (page(f'<title>Keys (GNU Lab (version 7))</title><link rel="start" href="i.html" title="Top">{NEXT}'),
         "GNU Lab (version 7)"),
        # Sphinx and others: the site behind or before the heading
        (page(f"<title>2. Keys — Lab 3.11 documentation</title>{NEXT}"), "Lab 3.11 documentation"),
        (page(f"<title>2. Keys - a lock - Lab Manual</title>{NEXT}", "<h1>2. Keys - a lock¶</h1>"), "Lab Manual"),
        (page("<title>Lab Manager - keys</title>", '<a rel="home" href="/">Lab Manager</a><h1>keys</h1>'),
         "Lab Manager"),
        # the site as the heading above the page's own
        (page("<title>2. Keys</title>",
              '<h1>Lab Mailer</h1><a href="a.html">&lt;-previous</a><h2>Chapter 2 - Keys</h2>'), "Lab Mailer"),
        (page('<title>Keys</title><meta property="og:site_name" content="Lab Handbook">'), "Lab Handbook"),
        # a page that stands alone has a subtitle; navigation says nothing by itself
        (page("<title>2. Keys - how to keep them</title>"), ""),
        (page(f"<title>2. Keys</title>{NEXT}"), ""),
        (page('<title>2. Keys</title><link rel="home" href="i.html" title="Home">'), ""),
        (page(f"<title>Locks | Lab</title>{NEXT}"), ""),
    ],
)  # fmt: skip
def test_the_book_a_page_belongs_to(text: str, book: str) -> None:
    assert book_of(parse_html(text, "keys.html")) == book


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Lab Manager - keys</title>",
         '<h1><a rel="home" href="/">Lab Manager</a></h1><h1>keys</h1><h2>NAME</h2><p>keys, opens.</p>', "keys"),
        (f"<title>2. Keys — Lab 3.11 documentation</title>{NEXT}", "<h1>2. Keys¶</h1><p>All.</p>", "2. Keys"),
        ('<title>key_dump</title><link rel="home" href="i.html" title="Lab Guide">',
         "<h2>key_dump</h2><h2>Synopsis of it</h2><p>key_dump [option]</p>", "key_dump"),
    ],
)  # fmt: skip
def test_a_page_is_called_as_it_calls_itself(tmp_path: Path, head: str, body: str, title: str) -> None:
    (tmp_path / "keys.html").write_text(page(head, body), encoding="utf-8")
    parsed = parse_file(tmp_path / "keys.html")
    assert parsed.title == title
    assert parsed.properties["book"]


def test_the_head_of_a_site_is_left_out_but_not_that_of_an_article() -> None:
    banner = '<header role="banner"><h1>Lab Manager</h1><a href="/">About</a></header>'
    blocks = flow_of_html(page("", f"{banner}<h1>keys</h1><p>Opens.</p>"), "a.html").blocks
    assert [block.text for block in blocks] == ["keys", "Opens."]
    only = flow_of_html(page("", f"{banner}<p>Opens.</p>"), "a.html").blocks
    assert only[0].text == "Lab Manager"


def test_a_listing_below_a_heading_is_no_preformatted_page() -> None:
    listing = f"<pre>{'int keys;' * 80}</pre>"
    assert preformatted(parse_html(page("", listing), "a.html"))
    assert not preformatted(parse_html(page("", f"<h2>2.1 Example</h2>{listing}"), "a.html"))

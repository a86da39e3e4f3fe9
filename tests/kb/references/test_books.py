"""A manual split into HTML pages is one book: sections of sister pages, its name, pages that are not held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Document, Place, Resolution
from rabbithole.kb.references.names.books import books_named, cited_as, names_of_book
from rabbithole.kb.references.resolution.book_pages import PAGE_NOT_HELD, is_page

pytestmark = pytest.mark.slow

HOME = '<link rel="home" href="index.html" title="{book}">'
BOOK = "Lab 15.2 Documentation"


def page(number: str, heading: str, text: str, book: str = BOOK) -> str:
    """Return a page whose heading stands for a chapter or section, as DocBook writes it."""
    head = f"<title>{number} {heading}</title>{HOME.format(book=book)}"
    return f"<html><head>{head}</head><body><h2>{number} {heading}</h2>{text}</body></html>"


PAGES = {
    "keys.html": page("3.1.", "Keys", "<p>Old keys are kept as Section 7.2.1 says, new ones as in Chapter 7.</p>"),
    "store.html": page("Chapter 7.", "Store", "<p>Things are stored here.</p>"),
    "safe.html": page("7.2.", "Safe", "<p>See Section 9.9.</p><h3>7.2.1. Old keys</h3><p>Ten years.</p>"),
    "index.html": f"<html><head><title>{BOOK}</title></head><body><h1>{BOOK}</h1><p>By the lab.</p></body></html>",
}


@contextmanager
def manual(folder: Path, pages: Mapping[str, str]) -> Iterator[KnowledgeBase]:
    write(folder / "pages", pages)
    with KnowledgeBase.open(folder / "kb", create=True) as kb:
        kb.ingest([folder / "pages"], "lab")
        yield kb


def write(folder: Path, pages: Mapping[str, str]) -> None:
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def document(kb: KnowledgeBase, file: str) -> Document:
    return next(each for each in kb.documents() if each.file == file)


def resolved(kb: KnowledgeBase, file: str, words: str) -> Resolution:
    own = document(kb, file).id
    (reference,) = [each for each in kb.references(own) if each.text == words]
    return kb.resolve(reference, at=Place(document=own, offset=reference.start))


def place(found: Resolution) -> tuple[str, str | None, str | None]:
    return found.status, found.file, found.number


def test_a_plain_section_is_found_on_the_sister_page(tmp_path: Path) -> None:
    with manual(tmp_path, PAGES) as kb:
        assert place(resolved(kb, "keys.html", "Section 7.2.1")) == ("resolved", "safe.html", "7.2.1")
        assert place(resolved(kb, "keys.html", "Chapter 7")) == ("resolved", "store.html", "Chapter 7")
        assert resolved(kb, "safe.html", "Section 9.9").status == "missing"


def test_pages_of_different_books_do_not_meet(tmp_path: Path) -> None:
    other = {"safe.html": PAGES["safe.html"].replace(BOOK, "Shop Documentation")}
    with manual(tmp_path, PAGES | other) as kb:
        assert resolved(kb, "keys.html", "Section 7.2.1").status == "missing"


def test_of_equal_numbers_the_one_in_the_same_folder_is_meant(tmp_path: Path) -> None:
    pages = {f"tutorial/{name}": text for name, text in PAGES.items()}
    pages |= {f"reference/{name}": text.replace("keys", "locks") for name, text in PAGES.items()}
    pages["faq.html"] = page("1.", "Questions", "<p>Why? Read Section 7.2.1.</p>")
    with manual(tmp_path, pages) as kb:
        assert resolved(kb, "tutorial/keys.html", "Section 7.2.1").file == "tutorial/safe.html"
        assert resolved(kb, "faq.html", "Section 7.2.1").status == "missing"


def test_chapters_that_count_their_sections_anew(tmp_path: Path) -> None:
    keys = "<p>Read chapter 2, and section 31.2 on rewriting, and section 44.1 above.</p>"
    pages = {
        "acl.html": page("Chapter 44", "Lists", f"<h3>1. Tests</h3>{keys}<h3>2. Order</h3><p>First, last.</p>"),
        "rewrite.html": page("Chapter 31", "Rewriting", "<h3>1. When</h3><p>Now.</p><h3>2. How</h3><p>So.</p>"),
        "start.html": page("Chapter 2", "Starting", "<p>Begin here.</p>"),
    }
    with manual(tmp_path, pages) as kb:
        assert place(resolved(kb, "acl.html", "chapter 2")) == ("resolved", "start.html", "Chapter 2")
        assert place(resolved(kb, "acl.html", "section 31.2")) == ("resolved", "rewrite.html", "2")
        assert place(resolved(kb, "acl.html", "section 44.1")) == ("resolved", "acl.html", "1")


def test_a_number_that_many_chapters_have_tells_no_page(tmp_path: Path) -> None:
    pages = {
        f"{chapter}.html": page(
            "", chapter, f"<h3>1. {chapter} in use</h3><p>See Section {number}.</p><h3>2. Care</h3>"
        )
        for chapter, number in (("Keys", "7"), ("Doors", "3"), ("Lamps", "4"), ("Locks", "5"))
    }
    pages["Store.html"] = page("7.", "Store", "<p>All things.</p>")
    with manual(tmp_path, pages) as kb:
        assert resolved(kb, "Keys.html", "Section 7").status == "missing"


def test_a_link_on_the_words_tells_the_page(tmp_path: Path) -> None:
    text = '<p>See <a href="other/safe.html#s">Section 7.2.1</a> and <a href="gone.html">Section 8</a>.</p>'
    pages = {"keys.html": page("3.1.", "Keys", text, ""), "other/safe.html": PAGES["safe.html"]}
    with manual(tmp_path, pages) as kb:
        assert place(resolved(kb, "keys.html", "Section 7.2.1")) == ("resolved", "other/safe.html", "7.2.1")
        gone = resolved(kb, "keys.html", "Section 8")
        assert (gone.status, gone.rule, gone.document, gone.note) == ("missing", PAGE_NOT_HELD, None, "gone.html")


def test_the_name_of_a_book_leads_to_its_page_or_its_start(tmp_path: Path) -> None:
    citing = "<html><body><h1>Notes</h1><p>See section 7.2 of the Lab Documentation, also the Lab Documentation.</p>"
    with manual(tmp_path, PAGES | {"own/notes.html": citing}) as kb:
        assert place(resolved(kb, "own/notes.html", "section 7.2 of the Lab Documentation"))[:2] == (
            "resolved",
            "safe.html",
        )
        assert place(resolved(kb, "own/notes.html", "Lab Documentation")) == ("resolved", "index.html", None)


def rows(kb: KnowledgeBase) -> list[tuple[object, ...]]:
    names = {entry.ordinal: entry.document.file for entry in kb.store.catalog.all_stored()}
    return [
        (names[row.source], row.text, row.status, names.get(row.target or -1), row.target_section)
        for row in kb._graph.rows.of_collection("lab")
    ]


@pytest.mark.parametrize("late", list(PAGES))
def test_pages_added_or_removed_later_change_what_their_sisters_refer_to(tmp_path: Path, late: str) -> None:
    with manual(tmp_path / "whole", PAGES) as kb:
        whole = rows(kb)
    first = {name: text for name, text in PAGES.items() if name != late}
    with manual(tmp_path / "first", first) as kb:
        without = rows(kb)
    with manual(tmp_path / "grown", first) as kb:
        write(tmp_path / "grown" / "pages", {late: PAGES[late]})
        kb.ingest([tmp_path / "grown" / "pages"], "lab")
        assert rows(kb) == whole
        (tmp_path / "grown" / "pages" / late).unlink()
        kb.ingest([tmp_path / "grown" / "pages"], "lab")
        assert rows(kb) == without


@pytest.mark.parametrize(
    ("book", "names", "cited"),
    [
        ("Lab 15.2 Documentation", ("Lab 15.2 Documentation", "Lab Documentation"), 2),
        ("Die Lab-FAQ", ("Die Lab-FAQ", "Lab-FAQ"), 1),
        ("GNU Lab (version 7.3.0)", ("GNU Lab (version 7.3.0)", "GNU Lab"), 0),
        ("Lab Policy Manual v4.6.2.0", ("Lab Policy Manual v4.6.2.0", "Lab Policy Manual"), 2),
    ],
)
def test_names_of_a_book(book: str, names: tuple[str, ...], cited: int) -> None:
    assert names_of_book(book) == names
    assert len(cited_as(book)) == cited


LIBRARY = ("Lab 15.2 Documentation", "Lab FAQ", "GNU Forge (version 7)", "Handbuch der Werkstatt")


@pytest.mark.parametrize(
    ("question", "books"),
    [
        ("What does the Lab documentation say about keys?", ("Lab 15.2 Documentation",)),
        ("Steht das in der Lab-FAQ?", ("Lab FAQ",)),
        ("What is a lathe in the Forge manual?", ("GNU Forge (version 7)",)),
        ("Was sagt das Handbuch der Werkstatt dazu?", ("Handbuch der Werkstatt",)),
        ("How do I open the lab with a manual key?", ()),
        ("Which documentation must be kept?", ()),
    ],
)
def test_books_a_question_names(question: str, books: tuple[str, ...]) -> None:
    assert tuple(books_named(LIBRARY, question)) == books


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("app.html#OPT", True), ("../glossary.html", True), ("part/", True), ("more.pdf", True),
        ("logo.png", False), ("style.css", False), ("get.zip", False), ("index.html", False), ("genindex.html", False),
    ],
)  # fmt: skip
def test_a_link_to_a_picture_or_an_index_leads_to_no_document(link: str, expected: bool) -> None:
    assert is_page(link) is expected

"""Links on headings lead back to the contents and are no references; links in sentences are."""

from __future__ import annotations

import pytest
from library import SmallLibrary, small_document

from rabbithole.kb.models import Place, Reference
from rabbithole.kb.references.detection.links import led_on
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver

MANUAL = small_document("manual.pdf", "Manual", {"1": "Legal\nNothing.", "2": "Cells\nSee Legal.\nSpares\nNone."})
PAGED = tuple(each.model_copy(update={"page": 4}) for each in MANUAL.sections)


def link(words: str, at: int, page: int) -> Reference:
    return Reference(
        start=at, end=at + len(words), text=words, kind="section", target=f"p. {page + 1}", method="link", page=page
    )


@pytest.mark.parametrize(
    ("words", "after", "kept"),
    [
        ("Cells", "", False),  # a heading of the outline
        ("Spares", "", False),  # a heading that the outline lacks
        ("Legal", "See ", True),
    ],
)
def test_a_heading_linked_with_the_contents_leads_nowhere(words: str, after: str, kept: bool) -> None:
    at = MANUAL.text.index(after + words) + len(after)
    assert bool(led_on(MANUAL.text, PAGED, [link(words, at, 0)])) is kept


def test_a_line_of_its_own_may_link_forward() -> None:
    at = MANUAL.text.index("Spares")
    assert led_on(MANUAL.text, PAGED, [link("Spares", at, 9)])


def test_a_link_on_a_page_leads_to_its_heading_of_the_same_words() -> None:
    library = SmallLibrary([MANUAL])
    resolver = Resolver(library, Registry(library.documents(), text=library.text))
    at = MANUAL.text.index("See Legal") + 4
    found = resolver.resolve(link("Cells", at, 0), Place(document=MANUAL.document.id, offset=at))
    assert found.start == MANUAL.text.index("Cells")

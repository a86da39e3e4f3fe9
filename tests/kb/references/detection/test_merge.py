"""Links and a reasoner's spans beside the grammar's detections."""

from __future__ import annotations

from rabbithole.kb.models import Reference
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.detection.merge import merge

TEXT = "Siehe § 5 AtG, Abbildung rechts und §§ 7, 9 AtG sowie den Prüfbericht Nord."


def link(words: str, page: int) -> Reference:
    start = TEXT.index(words)
    return Reference(
        start=start, end=start + len(words), text=words, kind="section", target=f"p. {page}", method="link", page=page
    )


def seen(words: str) -> Reference:
    start = TEXT.index(words)
    return Reference(
        start=start, end=start + len(words), text=words, kind="document_mention", target=words, method="llm"
    )


def test_link_on_a_mention_gives_it_the_exact_page() -> None:
    first = merge(detect(TEXT), [link("§ 5 AtG", 4)])[0]
    assert (first.method, first.page, first.target) == ("link", 4, "§ 5 AtG")


def test_link_on_plain_words_stands_alone() -> None:
    assert [each.page for each in merge(detect(TEXT), [link("Abbildung rechts", 2)])] == [None, 2, None, None]


def test_link_on_a_member_of_a_list_stands_beside_the_list() -> None:
    found = merge(detect(TEXT), [link("9", 7)])
    assert [each.method for each in found] == ["grammar", "grammar", "grammar", "link"]


def test_a_link_on_the_word_before_a_number_is_no_second_reference() -> None:
    text = "Also refer to Section 8.1.5 and the Appendix."
    words, number = text.index("Section"), text.index("8.1.5")
    both = {"kind": "section", "target": "p. 90", "method": "link", "page": 89}
    links = [
        Reference(start=words, end=words + 7, text="Section", **both),
        Reference(start=number, end=number + 5, text="8.1.5", **both),
    ]
    for given in (links, links[:1]):
        assert [(each.text, each.page) for each in merge(detect(text), given)] == [("Section 8.1.5", 89)]


def test_reasoner_adds_only_what_nothing_else_covers() -> None:
    found = merge(detect(TEXT), (), [seen("Prüfbericht Nord"), seen("5 AtG")])
    assert [each.text for each in found if each.method == "llm"] == ["Prüfbericht Nord"]


def test_nothing_appears_twice() -> None:
    detected = detect(TEXT)
    assert merge([*detected, *detected]) == tuple(detected)


def test_link_to_another_file_tells_where_a_plain_section_is() -> None:
    text = "See Section 4.2, Section 5 of RFC 8446, and Section 7 here."

    def to_file(words: str, target: str) -> Reference:
        start = text.index(words)
        return Reference(start=start, end=start + len(words), text=words, kind="external", target=target, method="link")

    links = [
        to_file("Section 4.2", "b.html#s"),
        to_file("Section 5 of RFC 8446", "biblio.html"),
        to_file("Section 7", "https://example.org/c.html"),
    ]
    found = merge(detect(text), links)
    assert [(each.method, each.file) for each in found] == [
        ("link", "b.html#s"),
        ("grammar", None),
        ("grammar", None),
    ]

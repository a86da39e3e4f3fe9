"""References resolved against small documents, by key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library import GERMAN, SmallLibrary, small_document

from rabbithole.kb.models import BibliographyEntry, Place, Reference
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver

KNOWN = KnownWorks([("StrlSchG", "Strahlenschutzgesetz"), ("DüngG", "Düngegesetz"), ("AtG", "Atomgesetz")])


@pytest.fixture(scope="module")
def library() -> SmallLibrary:
    return SmallLibrary(GERMAN)


@pytest.fixture(scope="module")
def resolver(library: SmallLibrary) -> Resolver:
    return Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))


def legal(document: str | None, *path: tuple[str, str], text: str = "x", **more: object) -> Reference:
    return Reference(
        start=0, end=len(text), text=text, kind="legal_section", target=text, document=document, path=path, **more
    )


@pytest.mark.parametrize(
    ("document", "path", "file", "number", "beginning"),
    [
        ("Strahlenschutzgesetzes", [("§", "2")], "StrlSchG.pdf", "§ 2", "§ 2 Dosis"),
        ("StrlSchG", [("§", "2"), ("Abs", "2")], "StrlSchG.pdf", "§ 2", "(2) Die Behörde"),
        ("StrlSchG", [("§", "2"), ("Abs", "2"), ("Satz", "2")], "StrlSchG.pdf", "§ 2", "Sie hört Dr. Meier"),
        ("StrlSchG", [("§", "3"), ("Nr", "2"), ("Buchst", "b")], "StrlSchG.pdf", "§ 3", "b) Radon"),
        ("Atomgesetzes", [("§", "9a")], "atg.pdf", "§ 9a", "§ 9a Verwertung"),
        ("AtG", [("Anlage", "1")], "atg.pdf", "Anlage 1", "Anlage 1"),
    ],
)
def test_by_key(
    resolver: Resolver,
    library: SmallLibrary,
    document: str,
    path: list[tuple[str, str]],
    file: str,
    number: str,
    beginning: str,
) -> None:
    found = resolver.resolve(legal(document, *path))
    assert (found.status, found.file, found.number) == ("resolved", file, number)
    assert found.document is not None
    assert library.text(found.document, found.start or 0, found.end).startswith(beginning)


def test_missing_work_by_its_proper_name(resolver: Resolver) -> None:
    found = resolver.resolve(legal("Düngegesetzes", ("§", "2")))
    assert (found.status, found.name, found.document) == ("missing", "Düngegesetz (DüngG)", None)


def test_missing_section_says_which(resolver: Resolver) -> None:
    found = resolver.resolve(legal("StrlSchG", ("§", "999")))
    assert (found.status, found.name, found.section) == ("missing", "StrlSchG § 999", None)


def test_missing_part_gives_the_place_around_it_and_says_so(resolver: Resolver) -> None:
    found = resolver.resolve(legal("StrlSchG", ("§", "2"), ("Abs", "9")))
    assert (found.status, found.number) == ("resolved", "§ 2")
    assert "Abs 9" in found.note


def test_open_end_names_successors(resolver: Resolver, library: SmallLibrary) -> None:
    found = resolver.resolve(legal("StrlSchG", ("§", "1"), following=True))
    numbers = [section.number for section in library.outline(found.document or "") if section.id in found.following]
    assert numbers == ["§ 2", "§ 3"]


def test_same_name_in_two_collections_is_ambiguous_until_the_citing_document_settles_it() -> None:
    text = {"§ 1": "§ 1 Zweck\nText."}
    documents = [
        small_document("Handbuch.pdf", "Betriebshandbuch", text, collection="A"),
        small_document("Handbuch.pdf", "Betriebshandbuch", text, collection="B"),
        small_document("Bericht.pdf", "Bericht über den Betrieb", text, collection="B"),
    ]
    library = SmallLibrary(documents)
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    reference = Reference(start=0, end=1, text="x", kind="document", target="x", document="Betriebshandbuch")
    open_question = resolver.resolve(reference)
    assert open_question.status == "ambiguous"
    assert len(open_question.candidates) == 2
    citing = documents[2].document
    settled = resolver.resolve(reference, Place(document=citing.id))
    assert (settled.status, settled.document) == ("resolved", documents[1].document.id)


def test_abbreviation_means_what_the_citing_document_says() -> None:
    documents = [
        small_document("a.pdf", "Betriebshandbuch Werk Nord", {"1": "1 Text"}),
        small_document("b.pdf", "Bericht", {"1": "1 Es gilt das Betriebshandbuch Werk Nord (BHBN) in allen Teilen."}),
        small_document(
            "c.pdf", "Anderer Bericht", {"1": "1 Abkürzungen\nBHBN  Betriebshandbuch Werk Nord\nUVP  Prüfung"}
        ),
        small_document("d.pdf", "Dritter Bericht", {"1": "1 Das BHBN gilt."}),
    ]
    library = SmallLibrary(documents)
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    reference = Reference(start=0, end=4, text="BHBN", kind="document_mention", target="BHBN", document="BHBN")
    statuses = [resolver.resolve(reference, Place(document=each.document.id)) for each in documents[1:]]
    assert [each.file for each in statuses] == ["a.pdf", "a.pdf", None]
    assert statuses[2].status == "missing"


def test_literature_that_is_a_law_is_that_law_and_a_book_about_it_is_not() -> None:
    entries = (
        BibliographyEntry(label="1", text="Atomgesetz (AtG) vom 23. Dezember 1959, BGBl. I S. 814", title="Atomgesetz"),
        BibliographyEntry(
            label="2", text="Atomgesetz im Wandel. Ein Kommentar. Verlag Nord 1999", title="Atomgesetz im Wandel"
        ),
    )
    citing = small_document("b.pdf", "Bericht", {"1": "1 Text"}, bibliography=entries)
    library = SmallLibrary([*GERMAN, citing])
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    found = [
        resolver.resolve(
            Reference(start=0, end=3, text=f"[{n}]", kind="academic_numbered", target=f"[{n}]", path=(("ref", n),)),
            Place(document=citing.document.id),
        )
        for n in "12"
    ]
    assert [(each.status, each.file) for each in found] == [("resolved", "atg.pdf"), ("missing", None)]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("https://www.rfc-editor.org/info/rfc2119", "resolved"),
        ("https://datatracker.ietf.org/doc/html/rfc2119#section-3", "resolved"),
        ("https://www.rfc-editor.org/info/rfc2120", "missing"),
        ("doi:10.17487/RFC2119", "resolved"),
        ("doi:10.1000/182", "resolved"),
        ("https://doi.org/10.1000/183", "missing"),
        ("arXiv:2106.01345v2", "resolved"),
        ("https://example.org/rfc2119", "missing"),
    ],
)
def test_addresses(address: str, status: str) -> None:
    documents = [
        small_document("rfc2119.pdf", "Key words", {"1": "1 x"}),
        small_document("p.pdf", "Paper one", {"1": "1 x"}, metadata={"doi": "10.1000/182"}),
        small_document("q.pdf", "Paper two", {"1": "1 x"}, metadata={"arxiv": "2106.01345v1"}),
    ]
    library = SmallLibrary(documents)
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    reference = Reference(start=0, end=len(address), text=address, kind="external", target=address)
    assert resolver.resolve(reference).status == status


def test_replaced_and_repealed_are_said() -> None:
    documents = [
        small_document("rfc4294.pdf", "Node Requirements", {"1": "1 Old"}),
        small_document("rfc6434.pdf", "Node Requirements", {"1": "1 New"}),
        small_document("G.pdf", "Gesetz (Beispielgesetz - BspG)", {"§ 1": "§ 1 (weggefallen)"}),
    ]
    opening = "Request for Comments: 6434\nObsoletes: 4294, 17\n"
    newer = documents[1]
    documents[1] = type(newer)(newer.document, opening + newer.text, newer.sections)
    library = SmallLibrary(documents)
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    old = resolver.resolve(
        Reference(start=0, end=1, text="x", kind="document_mention", target="x", document="RFC 4294")
    )
    assert (old.file, old.note) == ("rfc4294.pdf", "replaced by RFC 6434, which is held")
    assert "repealed" in resolver.resolve(legal("BspG", ("§", "1"))).note


def linked(kind: str, text: str, **more: object) -> Reference:
    return Reference(start=0, end=len(text), text=text, kind=kind, method="link", **more)


@pytest.mark.parametrize(
    "reference",
    [
        linked("external", "the rules", target="rules.html"),
        linked("section", "Section 2", target="Section 2", path=(("section", "2"),), file="rules.html"),
    ],
)
def test_a_link_leads_to_a_held_file_of_the_collections_asked_for(reference: Reference) -> None:
    citing = small_document("index.html", "Index", {"1": "1 See the rules", "2": "2 Own"})
    rules = small_document("rules.html", "House rules", {"1": "1 Scope", "2": "2 Quiet hours"})
    other = small_document("other.pdf", "Other", {"1": "1 Text"}, collection="D")
    library = SmallLibrary([citing, rules, other])
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    at = Place(document=citing.document.id, offset=3)
    for collections in ((), ("C",), ("C", "D")):
        assert resolver.resolve(reference, at, collections).file == "rules.html"
    outside = resolver.resolve(reference, at, ("D",))
    assert (outside.status, outside.name, outside.document) == ("missing", "House rules", None)


def test_link_of_the_pdf_leads_to_its_page(resolver: Resolver, library: SmallLibrary) -> None:
    link = Reference(start=0, end=1, text="x", kind="section", target="p. 2", method="link", page=1)
    found = resolver.resolve(link, Place(document="C-atg.pdf"))
    assert (found.page, found.number) == (1, "Anlage 1")
    assert resolver.resolve(link.model_copy(update={"page": 99}), Place(document="C-atg.pdf")).status == "missing"


UNITS = [
    "§",
    "Art",
    "Abs",
    "Satz",
    "Nr",
    "Buchst",
    "Anlage",
    "Tabelle",
    "Teil",
    "section",
    "paragraph",
    "figure",
    "ref",
    "?",
]


@settings(max_examples=150)
@given(
    st.lists(st.tuples(st.sampled_from(UNITS), st.text(max_size=6)), max_size=4),
    st.sampled_from([None, "StrlSchG", "Atomgesetzes", "", "§", "x" * 300]),
    st.sampled_from(["legal_section", "section", "document", "academic_numbered", "external"]),
    st.integers(min_value=0, max_value=400),
)
def test_any_path_has_an_answer(path: list[tuple[str, str]], document: str | None, kind: str, offset: int) -> None:
    library = SmallLibrary(GERMAN)
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    reference = Reference(
        start=0, end=1, text="x", kind=kind, target="x", document=document, path=tuple(path), following=True
    )
    found = resolver.resolve(reference, Place(document="C-atg.pdf", offset=offset))
    assert found.status in ("resolved", "missing", "ambiguous")
    if found.start is not None and found.end is not None:
        assert 0 <= found.start <= found.end <= len(library.text(found.document or ""))


def test_what_stands_against_relying_on_a_document() -> None:
    old = small_document("V_2012.pdf", "Laborverordnung", {"§ 1": "§ 1 Alt"}, metadata={"year": 2012})
    new = small_document("V_2021.pdf", "Laborverordnung", {"§ 1": "§ 1 Neu"}, metadata={"year": 2021})
    gone = small_document("W.pdf", "Weinverordnung", {"§ 1": "§ 1 Wein"}, metadata={"status": "außer Kraft"})
    rfc = small_document("rfc2.pdf", "RFC 2", {"1": "Obsoletes: 1\n1 Scope"}, synonyms=("RFC 2",))
    older = small_document("rfc1.pdf", "RFC 1", {"1": "1 Scope"}, synonyms=("RFC 1",))
    library = SmallLibrary([old, new, gone, rfc, older])
    resolver = Resolver(library, Registry(library.documents(), text=library.text))
    said = {each.document.file: resolver.validity_note(each.document) for each in (old, new, gone, rfc, older)}
    assert said == {
        "V_2012.pdf": "a later edition is held: Laborverordnung",
        "V_2021.pdf": "",
        "W.pdf": "status: außer Kraft",
        "rfc2.pdf": "",
        "rfc1.pdf": "replaced by RFC 2, which is held",
    }


def test_a_number_in_a_list_is_no_lost_section() -> None:
    sections = {
        "1": "1 Scope\nSteps:\n5. Go on as the step before says.",
        "2": "2 Terms\n3 Method\nThe lost one.",
        "4": "4 Report\nIts end.",
    }
    library = SmallLibrary([small_document("standard.pdf", "A standard", sections)])
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    at = Place(document=library.documents()[0].id, offset=0)
    assert resolver.resolve(legal(None, ("section", "5")), at).status == "missing"
    lost = resolver.resolve(legal(None, ("section", "3")), at)
    assert library.text(lost.document, lost.start, lost.end).startswith("3 Method")


def test_a_link_on_a_document_that_is_not_held_is_missing() -> None:
    """The link leads to the list of literature of the citing document."""
    library = SmallLibrary([small_document("own.pdf", "Own", {"1": "1 See SP 800-81", "2": "2 References"})])
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    reference = Reference(
        start=6, end=15, text="SP 800-81", kind="document_mention", target="NIST SP 800-81",
        document="NIST SP 800-81", method="link", page=0, goal=16,
    )  # fmt: skip
    found = resolver.resolve(reference, Place(document=library.documents()[0].id, offset=6))
    assert (found.status, found.name) == ("missing", "NIST SP 800-81")


CONSTITUTION = small_document(
    "constitution.pdf",
    "Constitution",
    {
        "4": "4. Developers",
        "4.1": "4.1. Powers\nThey may:\n1. appoint;\n2. amend.",
        "5": "5. Leader\n1. The Leader.",
        "6": "6. Conveying\nYou may:\na) convey it;\nb) offer it.",
        "6.1": "6.1 More",
        "7": "7. Terms\na) one\nb) two",
        "9": "9. Ends\n9.1. If you stop, then so do the rights that you were given before.\n9.2 percent of a sum.",
        "§ 8": "§ 8 Taxes\n(a) one\n(b) two",
        "A": "A. Votes",
        "A.5": "A.5. Counting\n1. Rank.\n2. Drop:\n1. lower.\n2. equal.\n3. List.\n4. Win.",
    },
)


@pytest.mark.parametrize(
    ("unit", "value", "found"),
    [
        ("section", "4.1.2", "2. amend."),
        ("section", "4.1.3", None),  # there is no third item
        ("section", "6.2", None),  # 6 has sections of its own below it
        ("section", "7b", "b) two"),
        ("section", "7c", None),
        ("§", "7b", None),  # another section in German
        ("section", "9.2", None),
        ("section", "8b", None),  # and where sections have the sign
        ("section", "A.5.4", "4. Win."),
        ("section", "A.5.5", None),
    ],
)
def test_a_number_below_a_section_is_an_item_of_its_list(unit: str, value: str, found: str | None) -> None:
    library = SmallLibrary([CONSTITUTION])
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    at = Place(document=CONSTITUTION.document.id, offset=20)
    resolution = resolver.resolve(legal(None, (unit, value), text=f"{unit} {value}", relative=True), at=at)
    assert resolution.status == ("resolved" if found else "missing")
    if found:
        assert CONSTITUTION.text[resolution.start : resolution.end] == found
        assert "read as item" in resolution.note


def test_a_paragraph_with_a_number_below_its_section_is_that_section() -> None:
    library = SmallLibrary([CONSTITUTION])
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    at = Place(document=CONSTITUTION.document.id, offset=20)
    resolution = resolver.resolve(legal(None, ("section", "9.1"), text="section 9.1", relative=True), at=at)
    assert CONSTITUTION.text[resolution.start : resolution.end].startswith("9.1. If you stop")


LONG = "The terms of this licence go on for a while, as those of licences do, and say what may be done with it. " * 4
LICENCES = small_document(
    "licences.pdf",
    "Licences",
    {
        "": "First Licence\n" + "\n".join(f"{number}. Clause {number}. {LONG}" for number in range(5)),
        "3": "3. Third section of the manual",
        "Appendix A": "Appendix A\n"
        + "\n".join(f"{number}. Term {number}. {LONG}\na) so\nb) or so" for number in range(1, 6)),
        "Appendix B": "Appendix B Changes\n"
        + "\n".join(f"{number}. Change {number}. {LONG.replace('this licence', 'it')}" for number in range(1, 6)),
    },
)


@pytest.mark.parametrize(
    ("around", "path", "beginning"),
    [
        ("First Licence", [("section", "3")], "3. Clause 3."),
        ("3. Third", [("section", "3")], "3. Third section"),
        ("Appendix A", [("section", "3")], "3. Term 3."),
        ("Appendix A", [("section", "3b")], "b) or so"),
        ("Appendix A", [("section", "3"), ("paragraph", "b")], "b) or so"),
        ("Appendix B", [("section", "3")], "3. Third section"),  # a list of changes is no text of its own
        ("Appendix B", [("section", "4")], "4. Change 4."),
    ],
)
def test_a_section_is_one_of_the_licence_it_is_named_in(
    around: str, path: list[tuple[str, str]], beginning: str
) -> None:
    library = SmallLibrary([LICENCES])
    resolver = Resolver(library, Registry(library.documents(), known=KNOWN, text=library.text))
    at = Place(document=LICENCES.document.id, offset=LICENCES.text.index(around) + 5)
    resolution = resolver.resolve(legal(None, *path, text="section", relative=True), at=at)
    assert resolution.status == "resolved"
    assert LICENCES.text[resolution.start : resolution.end].startswith(beginning)


ENTRY = BibliographyEntry(
    label="NP2", text='Mills, A., "Node Probing for Wide Links", RFC 7402, 2019.', title="Node Probing for Wide Links",
    identifiers={"rfc": "7402"},
)  # fmt: skip
OLDER = BibliographyEntry(label="9", text='Mills, A., "Node Probing", 1999.', title="Node Probing")


@pytest.mark.parametrize(
    ("sentence", "title", "entry", "number", "file"),
    [
        ("Nodes use Node Probing [NP2] here.", "Node Probing", ENTRY, "RFC 7402", "new.pdf"),
        ("Nodes use Node Probing (NP) [NP2] here.", "Node Probing", ENTRY, "RFC 7402", "new.pdf"),
        ("Node Probing is old. Now the Node\nProbing [NP2] is new.", "Node Probing", ENTRY, "RFC 7402", "new.pdf"),
        ("Nodes use Node Probing here, see [NP2].", "Node Probing", ENTRY, "RFC 7402", "old.pdf"),
        ("Nodes use Node Probing [X1] here.", "Node Probing", ENTRY, "RFC 7402", "old.pdf"),
        ("Nodes use Node Probing [9] here.", "Node Probing", OLDER, "RFC 7402", "old.pdf"),
        ("Node Probing is old. Wide-Area Node Probing [NP2] is new.", "Node Probing", ENTRY, "RFC 7402", "old.pdf"),
        ("Send Nodes at Work [NP2] a message.", "Nodes at Work", ENTRY, "RFC 7402", "citing.pdf"),
        ("Nodes use Node Probing [NP2] here.", "Node Probing", ENTRY, "RFC 7403", None),
    ],
)
def test_a_title_with_a_call_out_behind_it_is_the_work_cited(
    sentence: str, title: str, entry: BibliographyEntry, number: str, file: str | None
) -> None:
    held = SmallLibrary(
        [
            small_document("old.pdf", "Node Probing", {"1": "1 Scope\nOld."}, synonyms=["RFC 1203"]),
            small_document("new.pdf", "Node Probing for Wide Links", {"1": "1 Scope\nNew."}, synonyms=[number]),
            small_document("citing.pdf", "Nodes at Work", {"1": sentence}, bibliography=[entry]),
        ]
    )
    resolver = Resolver(held, Registry(held.documents(), text=held.text))
    start = sentence.index(title)
    mention = Reference(
        start=start, end=start + len(title), text=title, kind="document_mention", target=title, document=title
    )
    found = resolver.resolve(mention, Place(document="C-citing.pdf", offset=start))
    assert (found.status, found.file) == (("resolved", file) if file else ("missing", None))

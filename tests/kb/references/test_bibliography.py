"""Lists of literature parsed, and call-outs followed through them to documents."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library import SmallLibrary, small_document

from rabbithole.kb.models import Place, Reference
from rabbithole.kb.references.bibliography.cited_entry import Bibliography
from rabbithole.kb.references.bibliography.entries import bibliography_regions, parse_bibliography, parse_entry
from rabbithole.kb.references.bibliography.entry_key import entry_key
from rabbithole.kb.references.graph.missing import Lack, collect_missing
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.names.stored.title_keys import identifier_key
from rabbithole.kb.references.resolution.resolver import Resolver

RFC_STYLE = """
1. Introduction
See [RFC2119] and [1].
12. References
12.1. Normative References
[RFC2119]  Bradner, S., "Key words for use in RFCs to Indicate
           Requirement Levels", BCP 14, RFC 2119, March 1997.
[TLS13]    Rescorla, E., "The Transport Layer Security (TLS) Protocol Version 1.3", RFC 8446,
           DOI 10.17487/RFC8446, August 2018, <https://www.rfc-editor.org/info/rfc8446>.
[CONG]     Van Jacobson.  Congestion Avoidance and Control.  Proc. SIGCOMM '88, August, 1988.
12.2. Informative References
[RFC3489bis]
           Rosenberg, J., "Session Traversal Utilities for NAT", Work in Progress, draft-ietf-rfc3489bis-05, 2006.
[1]        Postel, J. (ed.), "Internet Protocol", RFC 791, September 1981.
Appendix A. Something else
[nothing]  to see here
"""
GERMAN_STYLE = """
Literaturverzeichnis
Müller, K., Schmidt, P. (2019a): Radionuklide im Boden. Verlag Nord, Berlin. ISBN 978-3-16-148410-0
Müller, K. (2019b). Transfer in Pflanzen. Zeitschrift für Strahlenschutz 12, S. 3-9. doi:10.1000/182
Townsend, A. and Brown, B. (1979) Dose models of the environment. Health Physics.
"""
NUMBERED_STYLE = """
References
1. Smith AB, Jones CD. A study of something important. J Biol Chem. 2015;290:1234-45.
2. Brown E, Green F. Another study of things. arXiv:2106.01345v2, 2021.
3. IAEA. Safety of things, IAEA SSG-2, Vienna (2010).
"""


def test_labelled_entries() -> None:
    entries = {entry.label: entry for entry in parse_bibliography(RFC_STYLE)}
    assert list(entries) == ["RFC2119", "TLS13", "CONG", "RFC3489bis", "1"]
    assert entries["RFC2119"].authors == ("Bradner, S.",)
    assert entries["RFC2119"].title == "Key words for use in RFCs to Indicate Requirement Levels"
    assert (entries["RFC2119"].year, entries["RFC2119"].identifiers["rfc"]) == ("1997", "2119")
    assert entries["TLS13"].identifiers["doi"] == "10.17487/RFC8446"
    assert entries["TLS13"].year == "2018"
    assert entries["CONG"].year == "1988"
    assert "rfc" not in entries["RFC3489bis"].identifiers
    assert entries["1"].identifiers["rfc"] == "791"
    assert "Something else" not in entries["1"].text


def test_author_year_entries() -> None:
    entries = parse_bibliography(GERMAN_STYLE)
    assert [(entry.year, entry.title) for entry in entries] == [
        ("2019a", "Radionuklide im Boden"),
        ("2019b", "Transfer in Pflanzen"),
        ("1979", "Dose models of the environment"),
    ]
    assert entries[0].authors == ("Müller, K.", "Schmidt, P.")
    assert entries[0].identifiers["isbn"] == "978-3-16-148410-0"
    assert entries[1].identifiers["doi"] == "10.1000/182"


def test_numbered_entries() -> None:
    entries = parse_bibliography(NUMBERED_STYLE)
    assert [entry.label for entry in entries] == ["1", "2", "3"]
    assert entries[0].title == "A study of something important"
    assert entries[1].identifiers["arxiv"] == "2106.01345v2"


def test_heading_in_a_table_of_contents_is_no_list() -> None:
    assert bibliography_regions("Contents\nReferences\nIntroduction\nText goes on.") == ()
    assert parse_bibliography("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "Quellen\n1 Benutzerkonten hinzufügen\nText dazu.\n2 Rechner hinzufügen\nText dazu.\n",
        "References\n[q, r] = deconv (y, a)\nDivide two vectors.\n[v, d] = version ()\nSince 1998.\n",
        "References\nText goes on.\n" + "A long manual of 1998. " * 300 + "\n[list]  Match the characters of a list\n",
    ],
)
def test_what_is_no_list_of_works(text: str) -> None:
    assert parse_bibliography(text) == ()
    assert bibliography_regions(text) == ()


def test_a_list_ends_where_the_text_goes_on() -> None:
    manual = "A long manual. " * 300
    text = f"References\n[1] A. Weber: Trees, 1998.\n[2] B. Huber: Paths, 1999.\n{manual}\n[3] Press the third key\n"
    assert [entry.label for entry in parse_bibliography(text)] == ["1", "2"]


@pytest.mark.parametrize(
    ("cited", "year"),
    [
        ("(Müller und Schmidt, 2019a)", "2019a"),
        ("(Müller 2019b)", "2019b"),
        ("Townsend et al. (1979)", "1979"),
        ("(Müller 2019)", None),
        ("(Schmidt 2018)", None),
        ("(Niemand 2019a)", None),
    ],
)
def test_author_year_call_outs(cited: str, year: str | None) -> None:
    found = Bibliography(parse_bibliography(GERMAN_STYLE)).author_year(cited)
    assert (found.year if found else None) == year


CITING = small_document("rfc9147.pdf", "DTLS", {"1": "1 Text"}, bibliography=parse_bibliography(RFC_STYLE))
PAPER = small_document("paper.pdf", "Ein Aufsatz", {"1": "1 Text"}, bibliography=parse_bibliography(GERMAN_STYLE))
HELD = [
    CITING,
    PAPER,
    small_document("rfc2119.pdf", "", {"1": "1 Text"}),
    small_document("rfc5389.pdf", "Session Traversal Utilities for NAT", {"1": "1 Text"}),
    small_document("boden.pdf", "Radionuklide im Boden", {"1": "1 Text"}, metadata={"year": 2019}),
    small_document("p.pdf", "Irgendwas", {"1": "1 Text"}, metadata={"doi": "https://doi.org/10.1000/182"}),
    small_document("dose.pdf", "Dose models of the environment", {"1": "1 x"}, metadata={"year": 1995}),
]
LIBRARY = SmallLibrary(HELD)
RESOLVER = Resolver(LIBRARY, Registry(LIBRARY.documents(), known=KnownWorks()))


def call_out(text: str, *path: tuple[str, str]) -> Reference:
    kind = "academic_numbered" if text.strip("[]").isdigit() else "academic_shortform"
    label = text.strip("[]()")
    return Reference(start=0, end=len(text), text=text, kind=kind, target=label, path=path or (("ref", label),))


@pytest.mark.parametrize(
    ("citing", "text", "file", "in_name"),
    [
        (CITING, "[RFC2119]", "rfc2119.pdf", ""),
        (CITING, "[RFC-2119]", "rfc2119.pdf", ""),
        (CITING, "[TLS13]", None, "RFC 8446"),
        (CITING, "[1]", None, "RFC 791"),
        (CITING, "[2]", None, "2"),
        (CITING, "[CONG]", None, "Congestion Avoidance"),
        (CITING, "[RFC3489bis]", None, "Session Traversal"),
        (PAPER, "(Müller und Schmidt, 2019a)", "boden.pdf", ""),
        (PAPER, "(Müller, 2019b)", "p.pdf", ""),
        (PAPER, "(Townsend und Brown, 1979)", None, "Dose models"),
    ],
)
def test_call_outs(citing: object, text: str, file: str | None, in_name: str) -> None:
    at = CITING if citing is CITING else PAPER
    found = RESOLVER.resolve(call_out(text), Place(document=at.document.id))
    assert (found.status, found.file) == (("resolved", file) if file else ("missing", None))
    assert in_name in found.name


def test_draft_is_not_the_later_standard_but_the_reader_is_told() -> None:
    found = RESOLVER.resolve(call_out("[RFC3489bis]"), Place(document=CITING.document.id))
    assert "Session Traversal Utilities for NAT" in found.note


def test_section_of_a_labelled_work() -> None:
    text = "Section 1 of [RFC2119]"
    reference = Reference(
        start=0,
        end=len(text),
        text=text,
        kind="document_mention",
        target=text,
        document="RFC2119",
        path=(("section", "1"),),
    )
    assert RESOLVER.resolve(reference, Place(document=CITING.document.id)).number == "1"


@pytest.mark.parametrize(
    ("kind", "value", "key"), [("doi", "https://doi.org/10.1/A.", "10.1/a"), ("arxiv", "arXiv:2106.1v2", "2106.1")]
)
def test_identifiers_have_one_spelling(kind: str, value: str, key: str) -> None:
    assert identifier_key(kind, value) == key


@settings(max_examples=80)
@given(st.text(alphabet='Aa1.,[]()\n "“&vonü:/-', max_size=400))
def test_any_text_gives_entries_or_none(text: str) -> None:
    for entry in parse_bibliography("References\n" + text):
        assert entry.text
    parse_entry("", text or "x")


@pytest.mark.parametrize(
    "piece", ["O'", "A. B, ", "von de ", "[1] ", "1. A", "\n1.", "Müller, K., ", "(2019) ", '"', " \n"]
)
def test_linear_on_hostile_text(piece: str) -> None:
    started = time.process_time()
    parse_bibliography("References\n" + piece * (200_000 // len(piece)))
    assert time.process_time() - started < 8


def test_a_last_entry_without_a_year_ends_with_its_isbn() -> None:
    entry = "[PDF] Example Systems. The Reference Manual. Addison-Wesley, ISBN 0-201-62628-4."
    text = f"References\n[A1] Miller, A. A title. 1999.\n{entry}\n" + "The owner should return a list of atoms.\n" * 60
    assert [one.text for one in parse_bibliography(text)][-1] == entry.removeprefix("[PDF] ")


def test_an_entry_joined_to_the_one_before_over_a_page_break_is_one_of_its_own() -> None:
    entries = parse_bibliography(
        "References\n"
        "[RFC5288] Salowey, J., AES GCM Cipher Suites, Request for Comments 5288, August 2008\n"
        "[RFC5289] Rescorla, E., Elliptic Curve Suites, Request for Comments 5289, August 2008 "
        "[RFC5487] Badra, M., Pre-Shared Key Suites, Request for Comments 5487, March 2009\n"
    )
    assert [(one.label, one.authors) for one in entries] == [
        ("RFC5288", ("Salowey, J.",)),
        ("RFC5289", ("Rescorla, E.",)),
        ("RFC5487", ("Badra, M.",)),
    ]


def test_the_label_tells_the_number_rather_than_what_the_entry_replaces() -> None:
    (entry,) = parse_bibliography("References\n[RFC5322] Resnick, P., Message Format, obsoletes RFC 2822, 2008\n")
    assert entry.identifiers["rfc"] == "5322"


SAME = (
    "Held, L., Höhle, M., and Hofmann, M. (2005). A statistical framework for the study of counts. Stat. Mod. 5.",
    "Held L, Höhle M, Hofmann M (2005). “A statistical framework for the study of counts.” Stat. Mod.",
    "L. Held, M. Höhle, and M. Hofmann. A statistical framework for the study of counts. Stat. Modelling, 2005.",
)


def test_an_entry_in_another_style_is_the_same_work() -> None:
    assert {entry_key(entry) for entry in SAME} == {
        ("held", "2005", "a", "statistical", "framework", "for", "the", "study")
    }
    lacks = [Lack("literature", entry, str(at), f"{at}.pdf") for at, entry in enumerate(SAME)]
    assert [(one.times, len(one.cited_by)) for one in collect_missing(lacks)] == [(3, 3)]


@pytest.mark.parametrize(
    "entry",
    [
        "Held L, Höhle M, Hofmann M (2006). “A statistical framework for the study of counts.” Stat. Mod.",
        "Held L, Höhle M, Hofmann M (2005). “A two-component model for the number of cases.” Biostatistics, 7.",
        "Gesetz über die friedliche Verwendung der Kernenergie und den Schutz gegen ihre Gefahren (Atomgesetz)",
        "NIST Special Publication 800-53 Revision 5, Security and Privacy Controls for Information Systems",
    ],
)
def test_another_year_title_or_kind_of_name_is_another_work(entry: str) -> None:
    assert entry_key(entry) != entry_key(SAME[0])

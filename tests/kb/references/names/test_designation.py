"""Designations by scheme: spellings share a key, digits and parts must match exactly, editions differ."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library import SmallDocument, SmallLibrary, small_document

from rabbithole.kb.models import Place, Reference
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.names.designations.designation import editions_in_order
from rabbithole.kb.references.names.designations.well_known_series import designation_of, well_known
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("SP 800-37", "NIST SP 800-37"),
        ("Special Publication 800-37, Revision 1", "NIST SP 800-37 Rev. 1"),
        ("800-37r1", "NIST SP 800-37 Rev. 1"),
        ("[SP800-37]", "NIST SP 800-37"),
        ("SP800-57part1rev4", "NIST SP 800-57 Part 1 Rev. 4"),
        ("NIST.SP.800-57pt3r1", "NIST SP 800-57 Part 3 Rev. 1"),
        ("NIST Special Publication 800-60 Volume I", "NIST SP 800-60 Volume I"),
        ("SP 800-124 (rev 1)", "NIST SP 800-124 Rev. 1"),
        ("FIPS PUB 140-2", "FIPS 140-2"),
        ("ISO/IEC 27005:2011", "ISO/IEC 27005:2011"),
        ("ETSI EN 319 142-1 V1.1.1", "ETSI EN 319 142-1 V1.1.1"),
        ("KTA 1404.1", "KTA 1404.1"),
        ("DIN 25457 Teil 4", "DIN 25457 Teil 4"),
        ("CNSS Instruction 4009", "CNSSI 4009"),
        ("OMB Memorandum M-07-16", "OMB M-07-16"),
        ("(OMB) Circular A-130", "OMB Circular A-130"),
        ("2019-03", None),
        ("Atomgesetz", None),
        ("TLS 1.2", None),
        ("SP 800-" + "3" * 300, None),
    ],
)
def test_one_normal_form(name: str, full: str | None) -> None:
    found = designation_of(name)
    assert (found.full if found else None) == full


def test_digits_letters_and_parts_are_exact() -> None:
    keys = [designation_of(name).key for name in ("SP 800-53", "SP 800-53A", "SP 800-5", "SP 1800-53")]  # type: ignore[union-attr]
    assert len(set(keys)) == 4
    assert editions_in_order("rev 1", "rev 2") == -1
    assert editions_in_order("rev 1", "2013") == 0


@given(st.text(max_size=400))
def test_no_text_breaks_the_reader(text: str) -> None:
    designation_of(text)


REVISED = small_document("a.pdf", "A guide", {"1": "1 Scope"}, synonyms=("NIST SP 800-37 Rev. 2",))
PART = small_document("b.pdf", "Volume I: Types", {"1": "1 Scope"}, synonyms=("NIST SP 800-60 Volume I Rev. 1",))
REGISTRY = Registry(SmallLibrary([REVISED, PART]).documents(), known=KnownWorks())


@pytest.mark.parametrize(
    ("name", "edition", "file", "told"),
    [
        ("SP 800-37", None, "a.pdf", ""),
        ("NIST SP 800-37", "Rev. 2", "a.pdf", ""),
        ("NIST SP 800-37", "Rev. 3", "a.pdf", "not held"),
        ("NIST SP 800-37", "Rev. 1", None, "held: NIST SP 800-37, edition rev 2"),
        ("NIST SP 800-37A", None, None, ""),
        ("SP 800-60", None, "b.pdf", "part 1 is held"),
        ("SP 800-60 Volume II", None, None, "held of this series: NIST SP 800-60 Volume I"),
    ],
)
def test_editions_and_parts(name: str, edition: str | None, file: str | None, told: str) -> None:
    found = REGISTRY.lookup(name, edition=edition)
    assert [entry.document.file for entry in found.entries] == ([file] if file else [])
    assert told in found.note


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("See NIST SP 800-59 and 800-60.", ["NIST SP 800-59", "NIST SP 800-60"]),
        ("vom 7. Mai 2014 (AMBl. HTW Berlin Nr. 17/14)", ["AMBl. HTW Berlin Nr. 17/14"]),
        ("CNSS Instruction 1253 applies.", ["CNSSI 1253"]),
        ("MDCG 2019-16 and ECMA-262", ["MDCG 2019-16", "ECMA-262"]),
    ],
)
def test_series_are_detected_in_texts(text: str, documents: list[str]) -> None:
    assert [reference.document for reference in detect(text, language="en")] == documents


def _club(file: str, title: str, text: str) -> SmallDocument:
    return small_document(file, title, {"§ 1": f"§ 1 Zweck\n{text}", "§ 6": "§ 6 Beiträge\nText."})


CLUBS = SmallLibrary(
    [
        _club("Alpen_Satzung.pdf", "Satzung des Alpen Clubs", "Der Vorstand gibt sich eine Geschäftsordnung."),
        _club("Alpen_Beitrag.pdf", "Beitragsordnung des Alpen Clubs", "Nach § 6 der Satzung."),
        _club("Alpen_GO_V.pdf", "Geschäftsordnung des Vorstands des Alpen Clubs", "x"),
        _club("Alpen_GO_M.pdf", "Geschäftsordnung der Mitgliederversammlung des Alpen Clubs", "x"),
        _club("Ruder_Satzung.pdf", "Satzung der Ruderer Bremen", "x"),
        _club("Segel_Beitrag.pdf", "Beitragsordnung der Segler Kiel", "Nach § 6 der Satzung."),
        _club("Gaerten.pdf", "Satzung des Kleingartenvereins Lindsee", "Nach § 6 der Gebührenordnung."),
        _club("Gebuehren.pdf", "Gebührenordnung für Kleingärten", "Nach § 6 der Hausordnung."),
        _club("Ruder_Haus.pdf", "Hausordnung für Ruderer", "Nach § 6 der Gebührenordnung."),
    ]
)
RESOLVER = Resolver(CLUBS, Registry(CLUBS.documents(), known=KnownWorks()))


@pytest.mark.parametrize(
    ("file", "mention", "status", "told"),
    [
        ("Alpen_Beitrag.pdf", "§ 6 der Satzung", "resolved", "Alpen_Satzung.pdf"),
        ("Segel_Beitrag.pdf", "§ 6 der Satzung", "missing", None),
        ("Alpen_Satzung.pdf", "Geschäftsordnung", "resolved", "Alpen_GO_V.pdf"),
        ("Gaerten.pdf", "§ 6 der Gebührenordnung", "resolved", "Gebuehren.pdf"),
        ("Ruder_Haus.pdf", "§ 6 der Gebührenordnung", "missing", None),
        ("Gebuehren.pdf", "§ 6 der Hausordnung", "missing", None),
    ],
)
def test_generic_names_stay_in_the_family(file: str, mention: str, status: str, told: str | None) -> None:
    document = next(each for each in CLUBS.documents() if each.file == file)
    at = CLUBS.text(document.id).index(mention)
    (reference,) = detect(mention, language="de") or (_mention(mention),)
    found = RESOLVER.resolve(reference, Place(document=document.id, offset=at))
    assert (found.status, found.file) == (status, told)


def _mention(name: str) -> Reference:
    return Reference(start=0, end=len(name), text=name, kind="document_mention", target=name, document=name)


def test_only_series_whose_letters_stand_in_a_text_are_tried() -> None:
    """Leaving out the other series does not change what is read."""
    series = well_known()
    spellings = [spelled for reader in series.readers for spelled in reader.row.spelled]
    for text in (f"{spelled}{joint}12-3" for spelled in spellings for joint in (" ", "-", "")):
        first = next((each for each in series.readers if each.pattern.fullmatch(text)), None)
        found = series.read(text)
        assert (found and found.series) == (first and first.row.series), text
        led = [end for each in series.readers if (end := _led(each.pattern.match(text)))]
        assert [end for end, _ in series.at(text, 0)] == led, text


def _led(found: re.Match[str] | None) -> int:
    return found.end() if found and found.groupdict().get("spelled") else 0

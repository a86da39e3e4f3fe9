"""Parts of a standard that are documents of their own."""

from __future__ import annotations

import pytest
from library import SmallLibrary, small_document

from rabbithole.kb.models import Place
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.names.designations.multipart_standards import sibling_volume, volume_of
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.resolver import Resolver

ONE = small_document("DIN 25457-1.pdf", "DIN 25457-1 Aktivitätsmessverfahren", {"1": "1 Anwendung\nSiehe hier."})
TWO = small_document("DIN 25457-2.pdf", "DIN 25457-2 Aktivitätsmessverfahren", {"4.1": "4.1 Proben\nDrei Proben."})
KTA = small_document("KTA 1404.1.pdf", "KTA 1404.1 Dokumentation", {"1": "1 Allgemeines\nText."})
LIBRARY = SmallLibrary([ONE, TWO, KTA])
RESOLVER = Resolver(LIBRARY, Registry(LIBRARY.documents(), known=KnownWorks()))


@pytest.mark.parametrize(
    ("source", "text", "status", "told"),
    [
        (ONE, "Siehe Teil 2 der Norm.", "resolved", "DIN 25457-2.pdf"),
        (ONE, "Siehe Teil 2 dieser Norm.", "resolved", "DIN 25457-2.pdf"),
        (ONE, "see part 2 of this standard", "resolved", "DIN 25457-2.pdf"),
        (ONE, "Siehe Teil 7 der Norm.", "missing", "DIN 25457-7"),
        (KTA, "Siehe Teil 2 der Regel.", "missing", "KTA 1404.2"),
        (KTA, "Part 3 of ISO 1234 applies.", "missing", "ISO 1234-3"),
    ],
)
def test_a_part_of_a_standard_is_its_sibling_or_missing_by_its_name(source, text, status, told):
    (reference,) = detect(text)
    identifier = source.document.id
    found = RESOLVER.resolve(reference, Place(document=identifier, section=None, offset=0))
    assert found.status == status
    assert (found.file if status == "resolved" else found.name) == told


@pytest.mark.parametrize(
    ("name", "number", "sibling"),
    [
        ("DIN 25457-1:2014-10", "2", "DIN 25457-2"),
        ("KTA 1404.1", "3", "KTA 1404.3"),
        ("ISO/IEC 27034-1", "02", "ISO/IEC 27034-2"),
        ("DIN 25457 Teil 1", "4", "DIN 25457 Teil 4"),
        ("DIN 25457-1", "1", None),
        ("SSR-2/1", "2", None),
        ("RFC 8446", "2", None),
        ("Strahlenschutzgesetz", "2", None),
    ],
)
def test_names_of_siblings(name, number, sibling):
    assert sibling_volume([name], [("Teil", number)]) == sibling


def test_volumes_by_series():
    assert volume_of("ISO 1234", [("part", "3")]) == "ISO 1234-3"
    assert volume_of("KTA 1404", [("Teil", "2")]) == "KTA 1404.2"
    assert volume_of("StrlSchG", [("Teil", "2")]) is None
    assert volume_of("ISO 1234", [("Abschnitt", "2")]) is None

"""The stored keys of known works equal the keys computed from their names."""

from __future__ import annotations

from rabbithole.kb.references.names.known_works import KnownWorks, known_works
from rabbithole.kb.references.names.name_index import NameIndex, inflect, known_laws


def test_stored_keys_are_up_to_date():
    made, stored = KnownWorks(known_laws()).data(), known_works().data()
    assert stored["row_of"] == made["row_of"]
    assert [tuple(row) for row in stored["rows"]] == made["rows"]


def test_each_form_of_a_known_name_is_found_by_its_first_letters():
    index = NameIndex()
    for row in known_laws()[::40]:
        for name in row:
            for form in inflect(name):
                assert index.canonical(form) is not None, form
                hit = index.hits(f"nach {form}").get(5)
                assert len(form) < 5 or (hit is not None and hit.end == 5 + len(form)), form

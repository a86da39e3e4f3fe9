"""Choose among documents of one number in a series, such as 'ISO 7503', by the part and edition asked for."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.models import Document
from rabbithole.kb.references.names.designations.designation import Designation
from rabbithole.kb.references.names.edition_choice import Entry, Lookup, by_edition
from rabbithole.kb.references.names.name_keys import edition_key
from rabbithole.kb.references.names.stored.name_tables import Designated


def by_designation(asked: Designation, edition: str | None, rows: Sequence[tuple[Designated, Document]]) -> Lookup:
    """Return the documents of a designation, by its part and edition.

    ``edition``: the edition asked for, if it is not part of the designation; ``rows``: the documents of its number, at
    least one. Without a part, the document of the whole number is meant, else that of the only part held.
    """
    if asked.part:
        of_part = [(row, document) for row, document in rows if row.part == asked.part]
        if not of_part:
            note = _held_of_series(rows)
            return Lookup((), "another part of the series is held", asked.full, asked.edition or None, note)
        rows = of_part
    elif whole := [(row, document) for row, document in rows if not row.part]:
        rows = whole
    elif all(row.name.endswith((f"-{row.part}", f".{row.part}")) for row, _ in rows):
        return Lookup((), "only parts of this number are held", asked.full, None, _held_of_series(rows))
    parts = sorted({row.part for row, _ in rows})
    wanted = asked.edition or (edition_key(edition) if edition else None)
    found = [
        by_edition(
            tuple(Entry(document, row.name, row.edition or None) for row, document in rows if row.part == part),
            "exact name, by designation",
            asked.name,
            wanted,
            editions=True,
        )
        for part in parts
    ]
    if len(found) == 1:
        single = found[0]
        if not asked.part and parts[0]:
            note = "; ".join(each for each in (single.note, f"of this number part {parts[0]} is held") if each)
            return single._replace(note=note)
        return single
    entries = tuple(entry for each in found for entry in each.entries)
    return Lookup(entries, "several parts of this number are held", asked.name, wanted)


def _held_of_series(rows: Sequence[tuple[Designated, Document]]) -> str:
    return f"held of this series: {', '.join(sorted({row.name for row, _ in rows}))}"

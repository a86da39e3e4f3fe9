"""Checks in any knowledge base, without gold, whether references lead where their words say.

Run: ``python -m bench.references.follows BASE [BASE...] [--collection NAME] [--show N]``. For all references of the
documents:

- *acronyms*: of the references from one document to another, held or missing, how many are capital letters without a
  digit, with no section beside them, and neither the target's file name nor a known work's name;
- *other number*: of the references that name a number and were followed, how many reached a section with another
  number;
- how many references with a number could not be checked because the place they reach has none.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from bench.figures import at_most
from rabbithole.kb import KnowledgeBase
from rabbithole.kb.models import Document, PathElement, Place, Reference, Resolution, Section
from rabbithole.kb.references.grammar.number_keys import number_key, path_key
from rabbithole.kb.references.grammar.units import PART_UNITS
from rabbithole.kb.references.resolution.sections.section_index import SectionIndex

GOAL = 0.01
_OPENING = 60
_ACRONYM = re.compile(r"[A-Z][A-Z&/-]{1,9}s?")
_CAPTIONED = frozenset({"table", "Tabelle", "figure"})
_NAMING = frozenset({"document", "document_mention", "legal_section"})


class Followed(NamedTuple):
    """A reference and where it leads.

    ``reached`` is the section it leads to with those around it, ``opening`` the beginning of the place,
    ``reached_file`` the file of a document that is held.
    """

    file: str
    own: str
    reference: Reference
    found: Resolution
    reached: tuple[Section, ...]
    opening: str
    reached_file: str


class Tally(NamedTuple):
    across: int
    acronyms: Counter[str]
    numbered: int
    unchecked: int
    elsewhere: list[str]


def followed(kb: KnowledgeBase, documents: Iterable[Document]) -> Iterator[Followed]:
    """Yield all references of the documents, resolved."""
    indexes: dict[str, SectionIndex] = {}

    def index(document: str) -> SectionIndex:
        if document not in indexes:
            indexes[document] = SectionIndex(kb.outline(document))
        return indexes[document]

    for document in documents:
        for reference in kb.references(document.id):
            found = kb.resolve(reference, at=Place(document=document.id, offset=reference.start))
            reached: tuple[Section, ...] = ()
            if found.document and found.section:
                reached = index(found.document).ancestors(index(found.document).by_id[found.section])
            opening = ""
            if found.document and found.start is not None:
                opening = kb.text(found.document, found.start, found.start + _OPENING)
            file = kb.document(found.document).file if found.document else ""
            yield Followed(document.file, document.id, reference, found, reached, opening, file)


def is_acronym(one: Followed) -> bool:
    """Return whether capital letters alone were taken for a document.

    They do not count if a section stands beside them, or if they are the target's file name or a known work's name.
    """
    name = (one.reference.document or one.reference.text).strip("[]() ")
    if _ACRONYM.fullmatch(name) is None or one.reference.path or one.reached_file.startswith(name):
        return False
    return one.found.rule != "a known work that is not in the collection"


def number_asked(path: tuple[PathElement, ...]) -> PathElement | None:
    """Return the number of the innermost section that a path names, or None."""
    named = [element for element in path if element[0] not in PART_UNITS and element[0] not in _CAPTIONED | {"ref"}]
    return named[-1] if named else None


def same_number(asked: PathElement, reached: tuple[Section, ...], opening: str) -> bool | None:
    """Return whether a section reached, or one around it, has the number asked for; None if none has a number.

    ``opening`` is the beginning of the place itself, which may be a heading that the outline does not list.
    """
    if re.match(rf"\W*(?:\w+\s+)?{re.escape(asked[1])}(?![\w]|\.\d)", opening):
        return True
    values = [number_key(section.number).value for section in reached if section.number]
    if not values:
        return None
    wanted = path_key(*asked).value.removesuffix(".0")
    section, _, item = wanted.rpartition(".")
    if section in values and opening.startswith(f"{item}."):  # '§ 8.4' is item 4 of § 8
        return True
    return any(
        value.removesuffix(".0") == wanted
        or value == wanted
        or value.rpartition(".")[2] == wanted
        or _roman(value) == _roman(wanted)
        for value in values
    )


def _roman(value: str) -> str:
    """Return Roman numerals as figures, and other values unchanged."""
    numbers = {"i": 1, "v": 5, "x": 10, "l": 50}
    if not value or not set(value) <= numbers.keys():
        return value
    digits = [numbers[letter] for letter in value]
    return str(sum(-d if any(later > d for later in digits[at + 1 : at + 2]) else d for at, d in enumerate(digits)))


def tally(rows: Iterable[Followed]) -> Tally:
    across = numbered = unchecked = 0
    acronyms: Counter[str] = Counter()
    elsewhere: list[str] = []
    for one in rows:
        reference, found = one.reference, one.found
        if reference.kind in _NAMING and reference.document and (found.document != one.own):
            across += 1
            if is_acronym(one):
                acronyms[f"{reference.document} -> {found.name} ({found.status}, {found.rule})"] += 1
        asked = number_asked(reference.path)
        if asked is None or found.status != "resolved":
            continue
        numbered += 1
        same = same_number(asked, one.reached, one.opening)
        unchecked += same is None
        if same is False:
            number = one.reached[0].number
            elsewhere.append(
                f"{one.file}: {reference.text!r} {asked} -> {number!r} {one.reached[0].heading!r} ({found.rule})"
            )
    return Tally(across, acronyms, numbered, unchecked, elsewhere)


def show(name: str, counted: Tally, most: int) -> None:
    acronyms = sum(counted.acronyms.values())
    checked = counted.numbered - counted.unchecked
    numbered = f"{counted.numbered} follows with a number, {len(counted.elsewhere)} to another number"
    print(f"{name}: {counted.across} references to other documents, {acronyms} acronyms; {numbered}, "
          f"{counted.unchecked} not to be checked")  # fmt: skip
    at_most(f"{name}: acronyms among references to other documents", acronyms / max(counted.across, 1), GOAL)
    at_most(f"{name}: follows that lead to another number", len(counted.elsewhere) / max(checked, 1), GOAL)
    for row, count in counted.acronyms.most_common(most):
        print(f"    acronym {count} x {row}")
    for row in counted.elsewhere[:most]:
        print(f"    {row}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bases", nargs="+", type=Path, help="folders of knowledge bases")
    parser.add_argument("--collection", help="only this collection")
    parser.add_argument("--show", type=int, default=0, help="so many cases of each kind")
    options = parser.parse_args()
    for base in options.bases:
        with KnowledgeBase.open(base) as kb:
            show(base.name, tally(followed(kb, kb.documents(options.collection))), options.show)


if __name__ == "__main__":
    main()

"""Names looked up by key: the same as by an index of all of them, and only what changed is read after a commit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library import SmallDocument, SmallLibrary, small_document

from rabbithole.kb.models import BibliographyEntry, Document, Place, Reference
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.name_index import NameIndex, inflect
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.names.snapshot import Naming
from rabbithole.kb.references.resolution.current_resolver import CurrentResolver
from rabbithole.kb.store.sql.sqlite_names import SqliteNames

NAMES = (
    "Atomgesetz",
    "AtG",
    "Bürgerliches Gesetzbuch",
    "Gesetz über den Schutz vor Lärm",
    "Gesetz über den Schutz",
    "KTA 1401",
    "KTA 1401:2017-11",
    "SP 800-53 Rev. 5",
    "Regulation (EU) 2016/679",
    "C++ für Anfänger",
    "Other Systems",
    "Other Systems and How to Guide Them",
    "x-ray_tables",
    "§ 5 Regel",
    "Straße im Winter",
    "Geschäftsordnung des Vereins",
)
HELD = Registry(
    [
        Document(id=f"d{number}", collection="C", file=f"{number}.pdf", path="", title=name, pages=1)
        for number, name in enumerate(NAMES)
    ],
    known=KnownWorks(),
)
FORMS = tuple(form for name in NAMES for form in sorted(inflect(name)))
PIECES = (*FORMS, "Geschäftsordnung", "der", "des", "Atom", "gesetz", "-", ",", "(", ")", "_", "1", "\n", "Gesetz über")


def every_name() -> Iterator[tuple[str, str]]:
    for document in sorted(f"d{number}" for number in range(len(NAMES))):
        yield from ((name, HELD.proper_name(HELD.documents[document])) for name in HELD.names_of(document))
    yield "Geschäftsordnung", "Geschäftsordnung"


WHOLE = NameIndex(every_name())


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(("", " ", " \n")))
def test_names_of_a_text_are_those_of_an_index_of_all(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    asked = NameIndex(HELD.names_in(text))
    assert asked.hits(text) == WHOLE.hits(text)
    assert all(asked.canonical(piece) == WHOLE.canonical(piece) for piece in pieces if between)


def test_only_names_that_a_text_may_have_are_read() -> None:
    text = "Das Gesetz über den Schutz vor Wind und des Atomgesetzes, Other Systems; Geschäftsordnung."
    named, generic = HELD.store.names_in(text)
    assert {each.name for each in named} == {"Atomgesetz", "Gesetz über den Schutz", "Other Systems"}
    assert generic == ["Geschäftsordnung"]


class Growing(SmallLibrary):
    """A library that says which texts were read; a document read again gets a new number and generation."""

    def __init__(self) -> None:
        super().__init__(())
        self.numbers: dict[int, str] = {}
        self.last = 0
        self.generation = 0
        self.read: set[str] = set()

    def put(self, *documents: SmallDocument) -> None:
        self.remove(*(each.document.id for each in documents))
        for each in documents:
            self._by_id[each.document.id] = each
            self.last += 1
            self.numbers[self.last] = each.document.id
        self.generation += 1
        self.read.clear()

    def remove(self, *documents: str) -> None:
        self.numbers = {number: each for number, each in self.numbers.items() if each not in documents}
        for each in documents:
            self._by_id.pop(each, None)
        self.generation += 1
        self.read.clear()

    def ordinals(self, after: int = 0) -> dict[int, str]:
        return {number: each for number, each in self.numbers.items() if number > after}

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        raise AssertionError("nothing asks for all documents")

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        self.read.add(document_id)
        return super().text(document_id, start, end)


def plain(number: int, title: str = "", text: str = "Text") -> SmallDocument:
    return small_document(f"{number}.pdf", title or f"Report number {number} of the council", {"1": f"1 {text}"})


GUIDE = small_document("guide.pdf", "Guide to Transport Security (TSEC)", {"1": "1 Scope of TSEC"})


@pytest.fixture
def library() -> Growing:
    grown = Growing()
    grown.put(*(plain(number) for number in range(20)))
    return grown


@pytest.fixture
def naming(library: Growing, tmp_path: Path) -> Iterator[Naming]:
    made = Naming(library, tmp_path / "registry.json", opening=partial(SqliteNames, path=tmp_path / "names.sqlite"))
    made.current()
    yield made
    made.close()


def file_of(naming: Naming, name: str) -> list[str]:
    return [entry.document.file for entry in naming.current().registry.lookup(name).entries]


def test_a_commit_reads_what_it_brought(library: Growing, naming: Naming) -> None:
    library.put(plain(21, "Gesetz über Lärm (Lärmgesetz - LärmG)"))
    assert file_of(naming, "LärmG") == ["21.pdf"]
    assert library.read == {"C-21.pdf"}
    library.remove("C-21.pdf")
    assert file_of(naming, "LärmG") == []
    assert library.read == set()


def test_a_document_read_again_goes_by_its_new_names_alone(library: Growing, naming: Naming) -> None:
    library.put(plain(3, "Gesetz über Lärm (Lärmgesetz - LärmG)"))
    assert file_of(naming, "LärmG") == ["3.pdf"]
    assert file_of(naming, "Report number 3 of the council") == []
    assert library.read == {"C-3.pdf"}


def test_an_acronym_is_counted_where_it_stands_and_in_what_comes_later(library: Growing, naming: Naming) -> None:
    library.put(plain(30, text="Section 3 of TSEC applies."), GUIDE)
    assert file_of(naming, "TSEC") == []
    assert library.read == {"C-30.pdf", "C-guide.pdf"}
    library.put(plain(31, text="Also see TSEC, which is older."))
    assert file_of(naming, "TSEC") == ["guide.pdf"]
    assert library.read == {"C-31.pdf"}
    library.remove("C-30.pdf")
    assert file_of(naming, "TSEC") == []
    library.put(plain(31, text="No word of it."))
    assert naming.current().registry.store.usage("TSEC")[:2] == (0, 1)


def test_an_edit_of_the_file_enters_the_documents_it_speaks_of(
    library: Growing, naming: Naming, tmp_path: Path
) -> None:
    library.read.clear()
    rows = [{"filename": "4.pdf", "synonyms": ["Ratsbericht"]}, {"filename": "5.pdf"}]
    written = json.dumps({"collections": {"C": {"documents": rows}}})
    (tmp_path / "registry.json").write_text(written, encoding="utf-8")
    assert file_of(naming, "Ratsbericht") == ["4.pdf"]
    assert library.read == {"C-4.pdf"}
    library.put(plain(4, "Another title than before"))
    assert file_of(naming, "Ratsbericht") == ["4.pdf"]
    (tmp_path / "registry.json").unlink()
    assert file_of(naming, "Ratsbericht") == []


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        (BibliographyEntry(label="1", text="A. Lee, Report number 7 of the council, 2001."), "by title"),
        (BibliographyEntry(label="1", text="Lee.", title="Report number 7 of the cuoncil"), "by title"),
        (BibliographyEntry(label="1", text="Lee.", title="Report number 77 of the council"), "not in the collection"),
        (BibliographyEntry(label="1", text="Lee. Noise.", identifiers={"doi": "10.1000/NOISE"}), "by doi"),
    ],
)
def test_entries_of_literature_are_looked_up(
    library: Growing, naming: Naming, entry: BibliographyEntry, rule: str
) -> None:
    noise = small_document("n.pdf", "On noise", {"1": "1 Text"}, metadata={"doi": "10.1000/noise"})
    citing = small_document("citing.pdf", "Citing", {"1": "1 As [1] says"}, bibliography=[entry])
    library.put(noise, citing)
    reference = Reference(start=5, end=8, text="[1]", kind="academic_numbered", target="[1]", path=(("ref", "1"),))
    found = CurrentResolver(library, naming).get().resolve(reference, Place(document="C-citing.pdf", offset=5))
    assert found.rule.endswith(rule)
    assert found.file == {"by title": "7.pdf", "by doi": "n.pdf"}.get(rule)


def test_a_reader_beside_the_writer_finds_the_names_made(library: Growing, naming: Naming, tmp_path: Path) -> None:
    library.put(plain(21, "Gesetz über Lärm (Lärmgesetz - LärmG)"))
    naming.current()
    library.read.clear()
    other = Naming(library, tmp_path / "registry.json", opening=partial(SqliteNames, path=tmp_path / "names.sqlite"))
    assert file_of(other, "LärmG") == ["21.pdf"]
    assert library.read == set()
    other.close()

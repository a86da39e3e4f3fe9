"""Collect all names of a document with their keys, for the store of names."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.models import Document, Section

from .acronym_usage import acronyms_in
from .books import book_of, cited_as
from .completion import generic_names, names_of_document, subject_names
from .designations.designation import Designation
from .designations.well_known_series import designation_of
from .edition_choice import edition_of
from .file_parts import file_parts, part_names
from .known_works import KnownWorks
from .lookup.key_matching import is_specific
from .name_keys import NameKey, name_key, split_edition
from .registry_file import RegistryRow
from .replaced import OPENING, replaced_names
from .spoken_names import spoken_names
from .stored.name_tables import Designated, Entered, Named
from .stored.title_keys import identifiers_of

LONGEST = 500
"""Maximum length of a name or title that is entered: nobody cites a longer one, and indexes have limits."""


def entered(
    document: Document,
    ordinal: int,
    row: RegistryRow | None,
    known: KnownWorks,
    text: str = "",
    outline: Sequence[Section] = (),
) -> Entered:
    """Return all names of a document, ready for the store.

    ``row``: what people wrote about the file; ``known``: the works that exist; ``text``: the document's text, for its
    acronyms and, at its beginning, the documents it replaces; ``outline``: its sections, some perhaps documents.
    """
    titles = tuple(each for each in dict.fromkeys((document.title, *document.synonyms)) if len(each) <= LONGEST)
    ignored = {name_key(name) for name in row.ignore} if row else set()
    given = tuple(row.synonyms) if row else ()
    if row and row.number:
        document = document.model_copy(
            update={"synonyms": tuple(name for name in document.synonyms if designation_of(name) is None)}
        )
        given = (row.number, *given)
    names = list(dict.fromkeys([*given, *names_of_document(document, known)]))
    names += [other for name in names for other in known.names(name_key(split_edition(name).base))]
    names += [spoken for title in titles for spoken in spoken_names(title)]
    kept = [name for name in dict.fromkeys(names) if len(name) <= LONGEST and name_key(name) not in ignored]
    doubtful = subject_names(document) - set(given)
    own = edition_of(document)
    named: list[Named] = []
    keys: dict[NameKey, int] = {}
    designations: dict[str, Designated] = {}
    for name in kept:
        split = split_edition(name)
        named.append(Named(document.id, name, split.edition or own, name not in doubtful))
        for key in (name_key(split.base), name_key(name)):
            if is_specific(key):
                keys.setdefault(key, len(named) - 1)
        if (designation := designation_of(name)) and (designation.key not in designations):
            designations[designation.key] = Designated(
                document.id, designation.name, designation.part, _edition(designation, own)
            )
    for name, part in part_names(file_parts(outline)):
        key = name_key(name)
        if len(name) <= LONGEST and key not in ignored and is_specific(key) and name not in kept:
            keys.setdefault(key, len(named))
            named.append(Named(document.id, name, None, part=part.start))
    return Entered(
        document.id,
        ordinal,
        document.collection,
        document.file,
        named,
        list(keys.items()),
        list(designations.items()),
        [
            (generic_key(name), name)
            for name in (*generic_names(document.title[:LONGEST]), *cited_as(book_of(document)))
            if name_key(name) not in ignored
        ],
        [(" ".join(name_key(split_edition(name).base)), name[:LONGEST]) for name in replaced_names(text[:OPENING])],
        titles,
        [(kind, value) for kind, value in identifiers_of(document.metadata) if len(value) <= LONGEST],
        acronyms_in(text),
    )


def generic_key(name: str) -> str:
    return " ".join(name_key(name))


def _edition(designation: Designation, own: str | None) -> str:
    return designation.edition or own or ""

"""The knowledge base as of a day: documents not in force then are hidden, and references lead to those in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .editions_in_force import DatedEdition, dated_editions, not_in_force, parsed_day, since
from .knowledge_base import KnowledgeBase
from .models import Day, Document, Filter, Place, Reference, Resolution, SearchMode, SearchResult


class KnowledgeBaseAsOf(KnowledgeBase):
    """Reads the same files as the knowledge base it is made from, which stays open. It writes nothing."""

    def __init__(self, whole: KnowledgeBase, day: str) -> None:
        # shares files and names with the whole knowledge base; only the answers differ
        self.__dict__.update(whole.__dict__)
        self._whole = whole
        self._day = parsed_day(day)
        self._of: tuple[int, Mapping[str, DatedEdition], frozenset[str]] | None = None

    @property
    def day(self) -> Day:
        left_out = tuple(each.file for each in self._whole.documents() if each.id in self.hidden)
        return Day(day=self._day, left_out=left_out, undated=sum(not since(each) for each in self.documents()))

    @property
    def hidden(self) -> frozenset[str]:
        """Ids of the documents that were not in force that day."""
        return self._known()[1]

    def _known(self) -> tuple[Mapping[str, DatedEdition], frozenset[str]]:
        """Return all documents with their dates and the hidden ids, cached until the knowledge base changes."""
        generation = self._whole.generation
        if self._of is None or self._of[0] != generation:
            dated = dated_editions(self._whole.documents(), self._naming.current().registry)
            self._of = generation, {each.id: each for each in dated}, not_in_force(dated, self._day)
        return self._of[1:]

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        return tuple(each for each in self._whole.documents(collection) if each.id not in self.hidden)

    def count(self) -> int:
        return len(self.documents())

    def search(
        self,
        query: str,
        collections: Sequence[str] = (),
        *,
        mode: SearchMode = "hybrid",
        filters: Sequence[Filter] = (),
        top_k: int = 10,
        documents: Sequence[str] = (),
        section: str | None = None,
        reread: bool = True,
    ) -> SearchResult:
        within = self._within(documents, collections)
        if not within:
            return SearchResult(total=0)
        return self._whole.search(
            query,
            collections,
            mode=mode,
            filters=filters,
            top_k=top_k,
            documents=within,
            section=section,
            reread=reread,
        )

    def search_linked(
        self,
        query: str,
        collections: Sequence[str] = (),
        *,
        filters: Sequence[Filter] = (),
        top_k: int = 10,
        documents: Sequence[str] = (),
    ) -> SearchResult:
        return self.search(query, collections, filters=filters, top_k=top_k, documents=documents)

    def _within(self, documents: Sequence[str], collections: Sequence[str]) -> tuple[str, ...]:
        wanted = set(documents)
        return tuple(
            each.id
            for each in self.documents()
            if (not wanted or each.id in wanted or each.file in wanted)
            and (not collections or each.collection in collections)
        )

    def resolve(self, reference: Reference, *, at: Place | None = None, collections: Sequence[str] = ()) -> Resolution:
        """Resolve as usual; if the target was not in force, return the same section of the edition that was.

        A reference that names a dated edition keeps it.
        """
        found = self._whole.resolve(reference, at=at, collections=collections)
        if found.document is None or found.document not in self.hidden or reference.edition:
            return found
        other = self._edition_of_the_day(found.document)
        if other is None:
            return Resolution(status="missing", rule=found.rule, name=found.name,
                              note=f"no edition in force on {self._day} is held")  # fmt: skip
        section = self.section(other.id, found.number) if found.number else None
        if found.number and section is None:
            return Resolution(
                status="missing", rule=found.rule, name=found.name, document=None,
                note=f"the edition in force on {self._day} ({other.file}) has no {found.number}",
            )  # fmt: skip
        return found.model_copy(
            update={
                "document": other.id,
                "file": other.file,
                "section": section.id if section else None,
                "number": section.number if section else None,
                "heading": section.heading if section else None,
                "start": section.start if section else 0,
                "end": section.end if section else len(self.text(other.id)),
                "page": section.page if section else 0,
                "page_label": section.page_label if section else self.page_of(other.id, 0)[1],
                "following": (),
                "note": f"the edition in force on {self._day}",
            }
        )

    def _edition_of_the_day(self, document: str) -> Document | None:
        dated = self._known()[0]
        fitting = [each for each in self.documents() if dated[each.id].works & dated[document].works]
        return fitting[0] if len(fitting) == 1 else None

    def validity_note(self, document_id: str) -> str:
        """Return '': every document here was in force that day."""
        return ""


def on_day(kb: KnowledgeBase, day: str) -> KnowledgeBase:
    """Return the knowledge base as of a day, or itself if ``day`` is empty. Raises UsageError if it is not a day."""
    return KnowledgeBaseAsOf(kb, day) if day.strip() else kb

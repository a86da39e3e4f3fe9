"""Documents with an outline in memory, for tests and benchmarks that need a knowledge base's reading side only."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rabbithole.kb.models import BibliographyEntry, Document, Scalar, Section


@dataclass(frozen=True)
class SmallDocument:
    document: Document
    text: str
    sections: tuple[Section, ...]
    bibliography: tuple[BibliographyEntry, ...] = ()
    page_starts: tuple[int, ...] = (0,)
    page_labels: tuple[str, ...] = ("1",)


def small_document(
    file: str,
    title: str,
    sections: Mapping[str, str],
    *,
    collection: str = "C",
    metadata: Mapping[str, Scalar] | None = None,
    synonyms: Sequence[str] = (),
    bibliography: Sequence[BibliographyEntry] = (),
) -> SmallDocument:
    """A document whose ``sections`` (number -> text, heading included) follow each other, two to a page."""
    identifier = f"{collection}-{file}"
    text = ""
    outline: list[Section] = []
    for index, (number, content) in enumerate(sections.items()):
        start, end = len(text), len(text) + len(content)
        heading = content.split("\n", 1)[0].removeprefix(number).strip()
        outline.append(
            Section(
                id=f"{identifier}:s{index}",
                document=identifier,
                index=index,
                level=1,
                number=number,
                heading=heading,
                start=start,
                own_end=end,
                end=end,
                page=index // 2,
                last_page=index // 2,
            )
        )
        text += content + "\n"
    document = Document(
        id=identifier,
        collection=collection,
        file=file,
        path=f"/{collection}/{file}",
        title=title,
        synonyms=tuple(synonyms),
        pages=(len(outline) + 1) // 2,
        metadata=metadata or {},
    )
    pages = tuple(section.start for section in outline if section.index % 2 == 0)
    labels = tuple(str(page + 1) for page in range(len(pages)))
    return SmallDocument(document, text, tuple(outline), tuple(bibliography), pages, labels)


class SmallLibrary:
    """The reading side of a knowledge base over a few documents."""

    generation = 1
    changed = ""

    def __init__(self, documents: Sequence[SmallDocument]) -> None:
        self._by_id = {each.document.id: each for each in documents}

    def count(self) -> int:
        return len(self._by_id)

    def ordinals(self, after: int = 0) -> dict[int, str]:
        return {ordinal: each for ordinal, each in enumerate(self._by_id, 1) if ordinal > after}

    def held(self, document_id: str) -> Document | None:
        found = self._by_id.get(document_id)
        return found.document if found else None

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        return tuple(each.document for each in self._by_id.values() if collection in (None, each.document.collection))

    def outline(self, document_id: str) -> tuple[Section, ...]:
        return self._by_id[document_id].sections

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return self._by_id[document_id].text[start:end]

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        held = self._by_id[document_id]
        page = max(0, bisect_right(held.page_starts, offset) - 1)
        return page, held.page_labels[page]

    def page_span(self, document_id: str, page: int) -> tuple[int, int]:
        held = self._by_id[document_id]
        return held.page_starts[page], [*held.page_starts, len(held.text)][page + 1]

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]:
        return self._by_id[document_id].bibliography


GERMAN = (
    small_document(
        "StrlSchG.pdf",
        "Gesetz zum Schutz vor der schädlichen Wirkung ionisierender Strahlung (Strahlenschutzgesetz - StrlSchG)",
        {
            "§ 1": "§ 1 Anwendungsbereich\n(1) Dieses Gesetz regelt den Schutz.\n(2) Es gilt nicht für Höhenstrahlung.",
            "§ 2": "§ 2 Dosis\n(1) Dosis ist eine Größe.\n(2) Die Behörde erlässt den Bescheid gem. Abs. 1. "
            "Sie hört Dr. Meier an. Der Bescheid gilt ab 1. Januar.\n(3) Satz 1 gilt entsprechend.",
            "§ 3": "§ 3 Begriffe\nEs bedeuten\n1. Anlage: ein Bau,\n2. Stoffe:\na) Uran,\nb) Radon,\n3. Rest.",
        },
    ),
    small_document(
        "atg.pdf",
        "Gesetz über die friedliche Verwendung der Kernenergie (Atomgesetz)",
        {
            "§ 9": "§ 9 Bearbeitung\n(1) Wer Kernbrennstoffe bearbeitet, bedarf der Genehmigung.",
            "§ 9a": "§ 9a Verwertung\n(1) Reste sind zu verwerten. § 2 des Strahlenschutzgesetzes gilt.",
            "Anlage 1": "Anlage 1 Begriffe\n1. Kernanlage bedeutet\na) einen Reaktor.",
        },
    ),
)

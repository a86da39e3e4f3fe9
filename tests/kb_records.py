"""Small documents for tests of the store and of search: one section a paragraph, one chunk a section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Chunk, Document, Scalar, Section
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.records import IndexedDocument, embedding_text
from rabbithole.kb.store.store import Store

HASH = KbSettings(embedding_model="hash", _env_file=None)


def record(
    name: str,
    sections: Sequence[tuple[str, str]],
    *,
    collection: str = "Recht",
    language: str = "de",
    metadata: Mapping[str, Scalar] | None = None,
) -> IndexedDocument:
    """``sections`` are (number, text); the document's id is its name; a page holds one section."""
    text, parts, chunks, starts = "", [], [], []
    for index, (number, body) in enumerate(sections):
        start = len(text)
        passage = f"{number} {body}".strip()
        text += passage + "\n"
        starts.append(start)
        section = Section(
            id=f"{name}:s{index}",
            document=name,
            index=index,
            level=0,
            number=number,
            heading="",
            start=start,
            own_end=start + len(passage),
            end=start + len(passage),
            page=index,
            last_page=index,
            page_label=str(index + 1),
        )
        parts.append(section)
        chunks.append(
            Chunk(
                id=f"{name}:c{index}",
                document=name,
                section=section.id,
                section_path=(number,),
                page=index,
                page_label=str(index + 1),
                start=start,
                end=start + len(passage),
                text=passage,
            )
        )
    document = Document(
        id=name,
        collection=collection,
        file=f"{name}.pdf",
        path=f"/x/{name}.pdf",
        title=name.upper(),
        language=language,
        pages=len(sections),
        metadata=dict(metadata or {}),
    )
    return IndexedDocument(
        document=document,
        text=text,
        page_starts=tuple(starts),
        page_labels=tuple(str(index + 1) for index in range(len(sections))),
        sections=tuple(parts),
        chunks=tuple(chunks),
    )


def put(store: Store, *records: IndexedDocument) -> None:
    texts = [[embedding_text(each.document.title, chunk) for chunk in each.chunks] for each in records]
    store.put_many([(each, store.embedder.embed(text)) for each, text in zip(records, texts, strict=True)])


def knowledge_base(folder: Path, *records: IndexedDocument, settings: KbSettings = HASH) -> KnowledgeBase:
    kb = KnowledgeBase.open(folder, settings, create=True)
    put(kb.store, *records)
    kb.store.release()
    return kb


def collected(
    name: str, title: str, parts: Mapping[str, Sequence[tuple[str, str, str]]], *, language: str = "en"
) -> IndexedDocument:
    """A file that holds several documents: ``parts`` maps their headings to (number, heading, text) of sections."""
    text, made, starts = "", list[Section](), list[int]()
    for heading, sections in parts.items():
        top = len(made)
        rows = [("", heading, ""), *sections]
        for place, (number, head, body) in enumerate(rows):
            start = len(text)
            text += " ".join(one for one in (number, head) if one) + f"\n{body}\n"
            starts.append(start)
            made.append(
                Section(
                    id=f"{name}:s{len(made)}", document=name, index=len(made), level=int(place > 0),
                    parent=f"{name}:s{top}" if place else None, number=number, heading=head, start=start,
                    own_end=len(text), end=len(text), page=len(made), last_page=len(made),
                    page_label=str(len(made) + 1),
                )
            )  # fmt: skip
        made[top] = made[top].model_copy(update={"end": len(text)})
    chunks = [
        Chunk(
            id=f"{name}:c{one.index}", document=name, section=one.id, section_path=(one.label,), page=one.page,
            page_label=one.page_label, start=one.start, end=one.own_end, text=text[one.start : one.own_end],
        )
        for one in made
    ]  # fmt: skip
    document = Document(
        id=name, collection="Recht", file=f"{name}.pdf", path=f"/x/{name}.pdf", title=title, language=language,
        pages=len(made),
    )  # fmt: skip
    return IndexedDocument(
        document=document,
        text=text,
        page_starts=tuple(starts),
        page_labels=tuple(str(page + 1) for page in range(len(made))),
        sections=tuple(made),
        chunks=tuple(chunks),
    )

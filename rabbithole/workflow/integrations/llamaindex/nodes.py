"""Convert passages to LlamaIndex nodes, and nodes of any LlamaIndex reader to documents of a collection."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import PurePath

from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.schema import Document as LlamaDocument

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Chunk, Document, Section
from rabbithole.kb.store.records import IndexedDocument, embedding_texts, place_fields

PAGE_FIELDS = ("page_label", "page", "page_number")
FILE_FIELDS = ("file_name", "file_path", "filename", "source", "url")


def chunk_node(document: Document, chunk: Chunk) -> TextNode:
    """Return a passage as a node: its id, exact text and place (document, section, page index from 0, page label)."""
    return TextNode(
        id_=chunk.id,
        text=chunk.text,
        start_char_idx=chunk.start,
        end_char_idx=chunk.end,
        metadata={
            "document": document.id,
            "title": document.title,
            "file": document.file,
            "collection": document.collection,
            **place_fields(chunk),
        },
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document.id)},
    )


def document_nodes(kb: KnowledgeBase, document_id: str) -> list[TextNode]:
    """Return all passages of a document as nodes, in reading order. Raises ``KnowledgeBaseError`` for an unknown id."""
    document = kb.document(document_id)
    return [chunk_node(document, chunk) for chunk in kb.chunks(document_id)]


def collection_documents(kb: KnowledgeBase, collection: str) -> list[LlamaDocument]:
    """Return the documents of a collection as LlamaIndex documents. Raises ``UsageError`` for an unknown collection."""
    kb.require((collection,))
    return [
        LlamaDocument(
            id_=document.id,
            text=kb.text(document.id),
            metadata={"title": document.title, "file": document.file, "collection": collection},
        )
        for document in kb.documents(collection)
    ]


def put_nodes(kb: KnowledgeBase, nodes: Sequence[BaseNode], collection: str) -> tuple[str, ...]:
    """Store nodes that another program has read.

    The nodes of one source become one document; each node becomes one section with one passage.

    Args:
        kb: an open knowledge base.
        nodes: nodes with text, from any LlamaIndex reader or parser; the order within a source is kept. The source
            is ``ref_doc_id``, else the file named in the metadata, else the node itself.
        collection: the collection they are put into.

    Returns:
        The ids of the stored documents. Storing a source again replaces its earlier document.

    Raises:
        UsageError: no node contains any text.
    """
    groups: dict[str, list[BaseNode]] = {}
    for node in nodes:
        if node.get_content(MetadataMode.NONE).strip():
            groups.setdefault(node.ref_doc_id or _file_named(node) or node.node_id, []).append(node)
    if not groups:
        raise UsageError("None of the nodes has any text, so nothing was stored.")
    records = [_record(source, group, collection) for source, group in groups.items()]
    kb.put(
        [
            (record, kb.embed(list(embedding_texts(record.document.title, record.chunks, record.text))))
            for record in records
        ]
    )
    return tuple(record.document.id for record in records)


def _record(source: str, nodes: Sequence[BaseNode], collection: str) -> IndexedDocument:
    texts = [node.get_content(MetadataMode.NONE).strip() for node in nodes]
    text = "\n".join(texts) + "\n"
    identifier = hashlib.sha256(f"{collection}\0{source}".encode()).hexdigest()[:16]
    labels = _page_labels(nodes)
    starts = [0]
    for each in texts[:-1]:
        starts.append(starts[-1] + len(each) + 1)
    pages = list(dict.fromkeys(labels))
    page_of = {label: index for index, label in enumerate(pages)}
    page_starts = [starts[labels.index(label)] for label in pages]
    sections, chunks = [], []
    for index, (start, body, label) in enumerate(zip(starts, texts, labels, strict=True)):
        heading = body.split("\n", 1)[0][:120]
        end, page = start + len(body), page_of[label]
        section = Section(
            id=f"{identifier}:s{index}",
            document=identifier,
            index=index,
            level=0,
            heading=heading,
            start=start,
            own_end=end,
            end=end,
            page=page,
            last_page=page,
            page_label=label,
        )
        sections.append(section)
        chunks.append(
            Chunk(
                id=f"{identifier}:c{index}",
                document=identifier,
                section=section.id,
                section_path=(heading,),
                page=page,
                page_label=label,
                start=start,
                end=end,
                text=body,
            )
        )
    file = _file_named(nodes[0]) or source
    document = Document(
        id=identifier,
        collection=collection,
        file=PurePath(file).name or file,
        path=file,
        title=str(nodes[0].metadata.get("title") or PurePath(file).stem or source),
        pages=len(pages),
    )
    return IndexedDocument(
        document=document,
        text=text,
        page_starts=tuple(page_starts),
        page_labels=tuple(pages),
        sections=tuple(sections),
        chunks=tuple(chunks),
    )


def _file_named(node: BaseNode) -> str:
    return next((str(node.metadata[field]) for field in FILE_FIELDS if node.metadata.get(field)), "")


def _page_labels(nodes: Sequence[BaseNode]) -> list[str]:
    """Return the printed page of each node; a node without one gets the page of the node before it."""
    labels: list[str] = []
    for node in nodes:
        own = next((str(node.metadata[field]) for field in PAGE_FIELDS if node.metadata.get(field) is not None), "")
        labels.append(own or (labels[-1] if labels else "1"))
    return labels

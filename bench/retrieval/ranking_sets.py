"""Questions with known places in real knowledge bases, built once and kept, for ``bench.retrieval.ranking``."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.references.xrefrag import indexed_passages
from rabbithole.kb.ingest.document.chunks import make_chunks
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Chunk, Document, Hit, Section
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.records import IndexedDocument, embedding_text

from .retrieval_sets import DATA, laws, multihop

SETTINGS = KbSettings()
_PASSAGES = 512
"""Passages stored at a time."""
QUESTIONS = Path(__file__).parent.parent / "answering" / "questions"
_PDFS = {
    "law-pdfs": ("gesetze/pdf", "*.pdf", "gesetze.json"),
    "handbuch": ("pdfs", "de_*.pdf", "handbuch.json"),
    "guides": ("pdfs", "en_*.pdf", "guides.json"),
    "rfc": ("rfc/pdf", "*.pdf", "rfc.json"),
}
"""Set -> folder, files, questions."""


class Asked(NamedTuple):
    """A question. ``gold`` holds the ids of the places that answer it, in the set's own naming."""

    question: str
    gold: frozenset[str]


class RankingSet(NamedTuple):
    """A set of questions.

    ``place`` returns the places (ids as in ``gold``) that a hit shows; ``at`` is the number of hits that count;
    ``every`` means that all places must be among them, otherwise one is enough.
    """

    name: str
    base: Path
    asked: tuple[Asked, ...]
    place: Callable[[KnowledgeBase, Hit, Asked], Iterable[str]]
    at: int
    every: bool


def ranking_sets(names: Sequence[str], bases: Path) -> list[RankingSet]:
    """Return the sets with these names; missing knowledge bases are built."""
    return [made for name in names for made in _SETS[name](name, bases)]


def _multihop(name: str, bases: Path) -> list[RankingSet]:
    data = multihop(name, split="")
    documents = (_passage(name, f"{row}", *_titled(text), "en") for row, text in enumerate(data.passages))
    base = _built(bases / name, documents)
    asked = tuple(
        Asked(question, frozenset(_id(name, f"{row}") for row in gold))
        for question, gold in zip(data.questions, data.gold, strict=True)
    )
    return [RankingSet(name, base, asked, _document_of, 5, every=True)]


def _gesetze(name: str, bases: Path) -> list[RankingSet]:
    """Return the sections of laws as documents without headings; their titles are the questions."""
    data = laws(questions=300)
    base = _built(bases / name, (_passage(name, f"{row}", "", text, "de") for row, text in enumerate(data.passages)))
    asked = tuple(
        Asked(question, frozenset(_id(name, f"{row}") for row in gold))
        for question, gold in zip(data.questions, data.gold, strict=True)
    )
    return [RankingSet(name, base, asked, _document_of, 10, every=True)]


def _legalquad(name: str, bases: Path) -> list[RankingSet]:
    rows = _rows(DATA / "qa" / "legalquad.jsonl")
    base = _built(bases / name, (_passage(name, row["id"], "", row["passage"], "de") for row in rows))
    asked = tuple(Asked(row["question"], frozenset({_id(name, row["id"])})) for row in rows)
    return [RankingSet(name, base, asked, _document_of, 10, every=True)]


def _xrefrag(name: str, bases: Path) -> list[RankingSet]:
    folder = bases / "xrefrag"
    known = folder / "passages.json"
    if not known.exists():
        documents, chunk_of = indexed_passages(DATA / "xrefrag")
        _built(folder, documents)
        known.write_text(json.dumps(chunk_of), encoding="utf-8")
    chunk_of = json.loads(known.read_text(encoding="utf-8"))
    return [
        RankingSet(
            f"{name} {part}",
            folder,
            tuple(
                Asked(
                    row["question"], frozenset(chunk_of[row[end]] for end in ("source_passage_id", "target_passage_id"))
                )
                for row in _rows(DATA / "xrefrag" / f"adgm_{part}.jsonl")
            ),
            lambda _kb, hit, _asked: (hit.chunk.id,),
            10,
            every=True,
        )
        for part in ("train", "dev")
    ]


def _wild(name: str, bases: Path) -> list[RankingSet]:
    """Return a field of PDFs with its questions."""
    field = DATA / "wild" / name
    return _field(name, bases, [field / "pdf"], field / "gold.json")


def _own(name: str, bases: Path) -> list[RankingSet]:
    """Return other PDFs with our own questions, which ``bench.answering`` asks as well."""
    folder, pattern, questions = _PDFS[name]
    return _field(name, bases, sorted((DATA / folder).glob(pattern)), QUESTIONS / questions)


def _field(name: str, bases: Path, files: Sequence[Path], questions: Path) -> list[RankingSet]:
    """Return ingested PDFs; a hit shows a gold place if it contains its quotation or is on its page."""
    with KnowledgeBase.open(bases / name, SETTINGS, create=True) as kb:
        kb.ingest(files, name)
    rows = json.loads(questions.read_text(encoding="utf-8"))["questions"]
    asked = tuple(
        Asked(
            row["question"],
            frozenset(json.dumps([g["file"], g["page"], letters(g["quote"])[:60]]) for g in row["gold"]),
        )
        for row in rows
        if row["answerable"]
    )
    return [RankingSet(name, bases / name, asked, _places_shown, 4, every=False)]


def _places_shown(_kb: KnowledgeBase, hit: Hit, asked: Asked) -> list[str]:
    body = letters(hit.chunk.text)
    shown = []
    for gold in asked.gold:
        file, page, quote = json.loads(gold)
        if hit.file == file and (quote in body or hit.chunk.page == page):
            shown.append(gold)
    return shown


def letters(text: str) -> str:
    """Return a text for comparing quotations: without white space, hyphens and dashes, in lower case."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'").replace("\u2018", "'").lower()
    return "".join(c for c in plain if not c.isspace() and c not in "\u00ad\u200b-\u2010\u2011\u2012\u2013\u2014\u2212")


def _document_of(_kb: KnowledgeBase, hit: Hit, _asked: Asked) -> tuple[str]:
    return (hit.chunk.document,)


def _titled(passage: str) -> tuple[str, str]:
    title, _, text = passage.partition("\n")
    return title, text


def _id(collection: str, name: str) -> str:
    return hashlib.sha256(f"{collection}\n{name}".encode()).hexdigest()[:16]


def _passage(collection: str, name: str, title: str, text: str, language: str) -> IndexedDocument:
    """Return a text without outline as a document, as ingestion would make it."""
    document = _id(collection, name)
    section = Section(
        id=f"{document}:s0", document=document, index=0, level=0, start=0, own_end=len(text), end=len(text),
        page=0, last_page=0, page_label="1",
    )  # fmt: skip
    chunks: tuple[Chunk, ...] = make_chunks(text, document, [section], (0,), ("1",), 1200, 150)
    return IndexedDocument(
        document=Document(
            id=document, collection=collection, file=f"{name}.txt", path=f"/{collection}/{name}.txt", title=title,
            language=language, pages=1,
        ),
        text=text, page_starts=(0,), page_labels=("1",), sections=(section,), chunks=chunks, outline_source="passage",
    )  # fmt: skip


def _built(folder: Path, documents: Iterable[IndexedDocument]) -> Path:
    """Build the knowledge base of these documents, or complete one whose building was interrupted."""
    with KnowledgeBase.open(folder, SETTINGS, create=True) as kb:
        held = {document.id for document in kb.documents()}
        waiting = [one for one in documents if one.document.id not in held]
        for start in range(0, len(waiting), _PASSAGES):
            part = waiting[start : start + _PASSAGES]
            texts = [embedding_text(one.document.title, chunk) for one in part for chunk in one.chunks]
            vectors = kb.embed(texts)
            ends = [0]
            for one in part:
                ends.append(ends[-1] + len(one.chunks))
            kb.put([(one, vectors[low:high]) for one, low, high in zip(part, ends, ends[1:], strict=False)])
            print(f"{folder.name}: {start + len(part)} of {len(waiting)} documents", flush=True)
    return folder


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


_SETS: dict[str, Callable[[str, Path], list[RankingSet]]] = {
    "xrefrag": _xrefrag,
    "legalquad": _legalquad,
    "gesetze": _gesetze,
    "musique": _multihop,
    "2wiki": _multihop,
    "hotpotqa": _multihop,
    "nist": _wild,
    "papers": _wild,
    "ordnungen": _wild,
    **dict.fromkeys(_PDFS, _own),
}
NAMES = tuple(_SETS)

"""The models of the knowledge base: frozen, and validated once at the edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Scalar = str | int | float | bool | None
SearchMode = Literal["keyword", "semantic", "hybrid"]
ReferenceKind = Literal[
    "legal_section",
    "section",
    "document",
    "document_mention",
    "academic_numbered",
    "academic_shortform",
    "external",
]
ReferenceMethod = Literal["grammar", "link", "llm"]
ResolutionStatus = Literal["resolved", "missing", "ambiguous"]
PathElement = tuple[str, str]


class Model(BaseModel):
    """Base of all models: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Document(Model):
    """One file of a collection. ``id`` is derived from the file's content hash."""

    id: str
    collection: str
    file: str = Field(description="file name, unique in its collection; subfolders kept with '/'")
    path: str = Field(description="absolute path of the file when it was ingested")
    title: str
    synonyms: tuple[str, ...] = ()
    language: str = Field(default="und", description="ISO 639-1 code, 'und' when unknown")
    pages: int = Field(ge=0, description="0 in a format without pages; then paragraphs stand for them")
    metadata: Mapping[str, Scalar] = Field(default_factory=dict)


class Section(Model):
    """A node of a document's outline. Spans are character offsets into the document's text.

    ``start``/``end`` cover the section with its subsections; ``own_end`` is before the first subsection. Pages are
    physical indexes from 0; labels are as printed. In a format without pages they count paragraphs, from 0, and the
    labels read "¶ 12".
    """

    id: str
    document: str
    index: int = Field(ge=0, description="position in reading order, from 0")
    parent: str | None = None
    level: int = Field(ge=0)
    number: str = Field(default="", description="'§ 27', '4.2.3', 'Annex B', 'Artikel 5', 'Anlage 4' or ''")
    heading: str = ""
    start: int = Field(ge=0)
    own_end: int = Field(ge=0)
    end: int = Field(ge=0)
    page: int = Field(ge=0)
    last_page: int = Field(ge=0)
    page_label: str = ""

    @property
    def label(self) -> str:
        """Number and heading as a person would name the section, without a colon at the end."""
        return " ".join(part for part in (self.number, self.heading) if part).rstrip(": ")


class Chunk(Model):
    """A passage for retrieval. It never crosses a section; ``text`` is the document's text[start:end]."""

    id: str
    document: str
    section: str
    section_path: tuple[str, ...] = Field(default=(), description="labels from the outermost section to this one")
    page: int = Field(ge=0)
    page_label: str = ""
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    text: str


class Enumeration(Model):
    """Sections enumerated before the law they may belong to: "nach § 6 oder nach § 9b des AtG"."""

    document: str = Field(description="the law named at the end, as written")
    edition: str | None = Field(default=None, description="the edition asked for of it")
    paths: tuple[tuple[PathElement, ...], ...]
    noun: str = Field(default="", description="what the enumeration belongs to: 'Genehmigung'")
    plain: bool = Field(default=False, description="only 'and' or a comma between its members, no second 'nach'")


class Reference(Model):
    """A mention of another place in a text. ``text`` is exactly the text between ``start`` and ``end``."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    text: str
    kind: ReferenceKind
    target: str = Field(description="normalised name of the place, for people and for keys")
    document: str | None = Field(default=None, description="the document named, as written")
    path: tuple[PathElement, ...] = Field(default=(), description="(unit, value), outermost first")
    method: ReferenceMethod = "grammar"
    following: bool = Field(default=False, description="open end: 'f.', 'ff.', 'et seq.'")
    relative: bool = Field(default=False, description="to be read against the place it stands in")
    antecedent: str | None = Field(default=None, description="document last named before a relative reference")
    edition: str | None = Field(default=None, description="date or version asked for, as written: '2013-04'")
    page: int | None = Field(default=None, description="exact target page index of a link within the same file")
    goal: int | None = Field(default=None, description="offset of the line a link within the same file leads to")
    file: str | None = Field(default=None, description="file that a link on these words leads to, relative to this one")
    enumeration: Enumeration | None = Field(default=None, description="the enumeration a bare section stands in")


class Place(Model):
    """The place a reference stands in, needed to read relative references."""

    document: str
    section: str | None = None
    offset: int | None = Field(default=None, description="character offset into the document's text")


class Resolution(Model):
    """Where a reference leads. Never a guess: a place that is not found is ``missing``, with its name."""

    status: ResolutionStatus
    rule: str = Field(description="the rule that decided, in a few words")
    name: str = Field(default="", description="proper name of the target document, known or missing")
    document: str | None = Field(default=None, description="document id")
    file: str | None = None
    section: str | None = Field(default=None, description="section id; None when the whole document is meant")
    number: str | None = None
    heading: str | None = None
    start: int | None = Field(default=None, description="span of the exact place in the document's text")
    end: int | None = None
    page: int | None = None
    page_label: str | None = None
    following: tuple[str, ...] = Field(default=(), description="ids of successor sections for an open end")
    candidates: tuple[str, ...] = Field(default=(), description="document ids when ambiguous")
    note: str = Field(default="", description="what the reader must know: other edition, repealed, obsoleted")


Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in"]


class Filter(Model):
    """One condition on a metadata field; all conditions of a search must hold."""

    field: str
    operator: Operator
    value: Scalar | tuple[Scalar, ...]


class Hit(Model):
    """One search result.

    ``scores`` holds the score of each ranking part: keyword, semantic, references, names, fused, rerank, nearness.
    ``reasons`` says in words what raised the hit: "named by § 13 IsoLG", "refers to § 17 IsoLV".
    """

    chunk: Chunk
    score: float
    scores: Mapping[str, float] = Field(default_factory=dict)
    title: str = ""
    file: str = ""
    snippet: str = ""
    reasons: tuple[str, ...] = ()


class Citing(Model):
    """A reference to a place, seen from that place: what refers to it."""

    document: str = Field(description="id of the document that refers")
    file: str
    title: str = ""
    section: str | None = Field(default=None, description="id of the section the reference stands in")
    label: str = Field(default="", description="number and heading of that section")
    page_label: str = ""
    kind: ReferenceKind
    text: str = Field(description="the reference as it stands there")
    to: str = Field(default="", description="label of the section it leads to; '' for the document as a whole")


class SearchResult(Model):
    """The hits of a search. ``total`` counts all matching chunks, not only those returned."""

    total: int = Field(ge=0)
    hits: tuple[Hit, ...] = ()


LEFT_OUT = "[…]"
"""Stands in a quotation where words of the document are left out."""


class QuotePlace(Model):
    """The place where a quotation stands verbatim (apart from white space, hyphenation and ligatures)."""

    document: str
    start: int
    end: int
    page: int
    page_label: str
    section: str | None = None


class BibliographyEntry(Model):
    """One entry of a document's bibliography."""

    label: str = Field(description="'12', 'TLS13', 'Townsend79' or '' when author-year")
    text: str
    authors: tuple[str, ...] = ()
    title: str = ""
    year: str = ""
    identifiers: Mapping[str, str] = Field(default_factory=dict, description="doi, arxiv, rfc, isbn, report, url")


class SkippedFile(Model):
    file: str
    reason: str


class UnreadFile(SkippedFile):
    """A file in which nothing can be found. Two collections may have files of the same name."""

    collection: str


class IngestReport(Model):
    """The result of one ingestion; every file seen is in exactly one list besides `read_again`."""

    collection: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    read_again: tuple[str, ...] = Field(default=(), description="of `changed`: the file is the same, the reader newer")
    moved: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    warnings: tuple[SkippedFile, ...] = Field(default=(), description="taken, but with something to know: needs OCR")
    pages: int = 0
    chunks: int = 0
    seconds: float = 0.0


class CollectionInfo(Model):
    """The content of a collection, for people and for validating filters."""

    name: str
    documents: int
    pages: int
    chunks: int
    embedding_model: str
    languages: tuple[str, ...] = ()
    fields: Mapping[str, str] = Field(default_factory=dict, description="metadata field -> type name")


class Day(Model):
    """The day as of which a knowledge base is read, and what that leaves out."""

    day: str = Field(description="ISO date")
    left_out: tuple[str, ...] = Field(default=(), description="files that were not in force that day")
    undated: int = Field(default=0, description="documents that say no date and count as in force")


Score01 = Annotated[float, Field(ge=0.0, le=1.0)]

"""The keyword index (Tantivy): stems in German and English, and pairs of words one of which has a digit.

German texts are also indexed by 4-grams of letters, up to ``MOST_GRAMMED`` chunks: a compound shares them with its
parts ("Strahlenschutz", "Schutz vor Strahlung"). An index made by an older version has none until it is rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tantivy import (
    Document,
    Index,
    IndexWriter,
    Occur,
    Query,
    SchemaBuilder,
    Searcher,
    TextAnalyzerBuilder,
    Tokenizer,
)

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import private_folder
from rabbithole.kb.store.ports import Within

from .index_terms import (
    LANGUAGES,
    LETTERED,
    MOST_GRAMMED,
    analyzer,
    fields_of,
    forms_of_word,
    grams,
    known,
    pairs,
    rarity,
)
from .keyword_files import laid_out_with, linked, removed
from .keyword_query import any_of, grams_query, words_query
from .near_words import near_words

_HEAP: Final = 64_000_000
_FEW: Final = 16
"""Up to this many documents, a query has a term for each; more are one set, matched against all chunks."""
_LEAST_MATCHES: Final = 1000
_WIDE: Final = 0.02
"""A search within a smaller share of the chunks matches by all words, common ones too."""


class KeywordEntry:
    """A chunk to be indexed: its row, the ordinal of its document, its collection, language and text."""

    __slots__ = ("collection", "document", "language", "row", "text")

    def __init__(self, row: int, document: int, collection: str, language: str, text: str) -> None:
        self.row = row
        self.document = document
        self.collection = collection
        self.language = language
        self.text = text


class Keywords:
    """The keyword index. Several threads may search; only the process with the writer's lock may change it.

    ``create=False`` opens an existing index for reading only, also from a read-only disk. Raises KnowledgeBaseError if
    the index cannot be opened.
    """

    def __init__(self, folder: Path, *, create: bool) -> None:
        builder = SchemaBuilder()
        builder.add_unsigned_field("row", stored=True, indexed=True, fast=True)
        builder.add_unsigned_field("document", stored=False, indexed=True, fast=True)
        builder.add_text_field("collection", stored=False, tokenizer_name="raw", index_option="basic")
        for language in LANGUAGES:
            builder.add_text_field(language, stored=False, tokenizer_name=language, index_option="freq")
        builder.add_text_field("pairs", stored=False, tokenizer_name="pairs", index_option="freq")
        self._has_grams = laid_out_with(folder, "grams")
        if self._has_grams:
            builder.add_text_field("grams", stored=False, tokenizer_name="pairs", index_option="freq")
        self._schema = builder.build()
        self._folder = folder
        self._links: TemporaryDirectory[str] | None = None
        if create:
            private_folder(folder)
        else:
            self._links = linked(folder)
            folder = Path(self._links.name)
        try:
            self._index = Index(self._schema, path=str(folder), reuse=True, sort_by_field="row")
        except ValueError as error:
            raise KnowledgeBaseError(
                f"The keyword index in {folder} cannot be opened ({' '.join(str(error).split())[:120]}): mend it with "
                "`rabbithole kb repair`."
            ) from error
        # The catalog tells when to reload; no thread watches the files.
        self._index.config_reader("Manual")
        for language in LANGUAGES:
            self._index.register_tokenizer(language, analyzer(language))
        self._index.register_tokenizer("pairs", TextAnalyzerBuilder(Tokenizer.whitespace()).build())
        self._writer: IndexWriter | None = None
        self._of_documents = lru_cache(maxsize=64)(self._these_documents)

    def change(self, add: Iterable[KeywordEntry] = (), remove: Iterable[int] = ()) -> None:
        """Remove documents by ordinal, add chunks, commit. Returns when the change is on disk."""
        if self._writer is None:
            self._writer = self._index.writer(_HEAP, 1)
        if gone := list(remove):
            # Deletion by term reads a number as a signed one and finds nothing.
            self._writer.delete_documents_by_query(Query.term_set_query(self._schema, "document", gone))
        lettered = self.grammed
        for entry in add:
            self._writer.add_document(self._document(entry, lettered=lettered))
        self._writer.commit()
        self._index.reload()

    @property
    def removed(self) -> int:
        """How many removed chunks still count in the statistics of words."""
        return removed(self._folder)

    def write_anew(self, entries: Iterable[KeywordEntry]) -> None:
        """Replace all chunks by these in one commit, so that nothing is left of those removed before.

        Tantivy takes a removed chunk out of its statistics only when it happens to merge the segment.
        """
        if self._writer is None:
            self._writer = self._index.writer(_HEAP, 1)
        lettered = self.grammed
        try:
            self._writer.delete_all_documents()
            for entry in entries:
                self._writer.add_document(self._document(entry, lettered=lettered))
        except BaseException:
            self._writer.rollback()  # else the next commit would remove everything
            raise
        self._writer.commit()
        self._index.reload()

    def clear(self) -> None:
        """Remove all chunks and commit."""
        self.write_anew(())

    def count(self) -> int:
        """Return the number of chunks in the index."""
        return self._index.searcher().num_docs

    def reload(self) -> None:
        """Reload what another process has committed."""
        self._index.reload()

    def release(self) -> None:
        """Wait for merges and close the writer, so that another process can write."""
        if self._writer is not None:
            self._writer.wait_merging_threads()
            self._writer = None

    def search(
        self, query: str, limit: int, *, within: Within | None = None, count: bool = True
    ) -> tuple[list[tuple[int, float]], int]:
        """Return the ``limit`` best rows by BM25 as (row, score), best first, and the number of matching chunks.

        ``within`` restricts the search to some documents; without ``count`` the number is 0. Among many chunks, common
        words alone are no match: see ``common``.
        """
        searcher = self._index.searcher()
        share = within.share if within is not None else 1.0
        matches = max(limit, _LEAST_MATCHES) / share if share >= _WIDE else 0
        fields = fields_of(within.languages if within is not None else ())
        scoring = words_query(query, self._schema, searcher, matches, fields)
        if scoring is None or limit <= 0:
            return [], 0
        return self._best(searcher, [(Occur.Must, scoring)], limit, within, count=count)

    def _best(
        self,
        searcher: Searcher,
        clauses: list[tuple[Occur, Query]],
        limit: int,
        within: Within | None,
        *,
        count: bool,
    ) -> tuple[list[tuple[int, float]], int]:
        if within is not None:
            named = Query.const_score_query(self._of_documents(within.documents), 0.0)
            # As the first clause it skips segments of the index without these documents.
            clauses.insert(0, (Occur.MustNot if within.all_but else Occur.Must, named))
        found = searcher.search(Query.boolean_query(clauses), limit, count=count)
        rows = searcher.fast_field_values("row", [address for _, address in found.hits])
        best = [(int(row), float(score)) for row, (score, _) in zip(rows, found.hits, strict=True) if row is not None]
        best.sort(key=lambda hit: (-round(hit[1], 5), hit[0]))
        return best, int(getattr(found, "count", None) or 0)

    @property
    def grammed(self) -> bool:
        """Whether German chunks are indexed by grams."""
        return self._has_grams and self.count() <= MOST_GRAMMED

    def alike(self, query: str, limit: int, *, within: Within | None = None) -> list[tuple[int, float]]:
        """Return the best rows of German texts by BM25 over the query's grams, as (row, score), best first."""
        searcher = self._index.searcher()
        scoring = grams_query(query, self._schema, searcher) if self.grammed else None
        if scoring is None:
            return []
        return self._best(searcher, [(Occur.Must, scoring)], limit, within, count=False)[0]

    def rarity(self, stem: str, language: str) -> float:
        """Return how rare a stem is among the chunks; see ``index_terms.rarity``."""
        searcher = self._index.searcher()
        chunks = max(searcher.num_docs, 1)
        return rarity(searcher.doc_freq(known(language), stem), chunks)

    def chunks_with(self, word: str) -> int:
        """Return how many chunks have a word or another form of it, in the language that has it most often."""
        searcher = self._index.searcher()
        return max((searcher.doc_freq(*form) for form in forms_of_word(word)), default=0)

    def near(self, word: str, language: str) -> dict[str, int]:
        """Return the words one edit away from a word whose stem is in some chunk -> in how many.

        What people write is compared, because an edit near the end of a word may change its stem beyond recognition.
        """
        field, searcher = known(language), self._index.searcher()
        words = near_words(word)
        stems = analyzer(field).analyze(" ".join(words))
        if len(stems) != len(words):  # a letter that the index does not take for one, or a word that is too long
            return {}
        found = zip(words, stems, strict=True)
        return {near: chunks for near, stem in found if (chunks := searcher.doc_freq(field, stem))}

    def _these_documents(self, documents: tuple[int, ...]) -> Query:
        if len(documents) <= _FEW:
            return any_of(Query.term_query(self._schema, "document", ordinal) for ordinal in documents)
        return Query.term_set_query(self._schema, "document", list(documents))

    def _document(self, entry: KeywordEntry, *, lettered: bool) -> Document:
        document = Document()
        document.add_unsigned("row", entry.row)
        document.add_unsigned("document", entry.document)
        document.add_text("collection", entry.collection)
        for language in fields_of((entry.language,)):
            document.add_text(language, entry.text)
        document.add_text("pairs", " ".join(pairs(entry.text)))
        if lettered and LETTERED in fields_of((entry.language,)):
            document.add_text("grams", " ".join(grams(entry.text)))
        return document

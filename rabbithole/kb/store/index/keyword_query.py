"""Builds the queries of a keyword index: by words, where common ones need not match, and by grams."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

from tantivy import Occur, Query, Schema, Searcher

from .index_terms import MOST_TERMS, forms_of_word, grams, pairs, plain_words, query_words, telling

Term = tuple[str, str]
"""Field and word."""
_COMMON: Final = 0.05
"""A word is common if it is in more than this share of the chunks."""
MANY: Final = 50_000
"""Number of chunks from which on frequent grams are not looked up, because they cost most of the time."""


def words_query(text: str, schema: Schema, searcher: Searcher, matches: float, fields: Iterable[str]) -> Query | None:
    """Return the query for a text, or None if it has no words.

    ``matches``: common words alone are no match if at least so many chunks match without them; 0: all words match.
    """
    terms: dict[tuple[str, str], None] = {}
    for language in fields:
        terms |= dict.fromkeys((language, word) for word in query_words(text, language))
    terms |= dict.fromkeys(("pairs", pair) for pair in pairs(text))
    if not terms:
        return None
    clauses = {term: Query.term_query(schema, *term, "freq") for term in list(terms)[:MOST_TERMS]}
    chunks = searcher.num_docs
    frequencies = _frequencies(text, clauses, searcher)
    for term, (own, any_language) in frequencies.items():
        if any_language > own > 0:
            factor = inverse_frequency(any_language, chunks) / inverse_frequency(own, chunks)
            clauses[term] = Query.boost_query(clauses[term], factor)
    if not matches or chunks * _COMMON < matches:
        return any_of(clauses.values())
    often = common({term: most for term, (_, most) in frequencies.items()}, chunks, matches)
    if not often:
        return any_of(clauses.values())
    rarer = any_of(clause for term, clause in clauses.items() if term not in often)
    return Query.boolean_query(
        [(Occur.Must, rarer), *((Occur.Should, clause) for term, clause in clauses.items() if term in often)]
    )


def grams_query(text: str, schema: Schema, searcher: Searcher) -> Query | None:
    """Return the query for the grams of a text, or None if it has none that tell anything."""
    terms = list(dict.fromkeys(grams(text)))[:MOST_TERMS]
    if terms and searcher.num_docs >= MANY:
        terms = telling({term: searcher.doc_freq("grams", term) for term in terms}, searcher.num_docs)
    if not terms:
        return None
    return any_of(Query.term_query(schema, "grams", term, "freq") for term in terms)


def _frequencies(text: str, terms: Iterable[Term], searcher: Searcher) -> dict[Term, tuple[int, int]]:
    """Return for each term the number of chunks with it, and the number in the language that has the word most often.

    A German word is rare among the English chunks of a collection, which says nothing about how rare it is.
    """
    found: dict[Term, int] = {}

    def chunks_with(term: Term) -> int:
        if term not in found:
            found[term] = searcher.doc_freq(*term)
        return found[term]

    most: dict[Term, int] = {}
    for word in dict.fromkeys(plain_words(text)):
        forms = forms_of_word(word)
        highest = max(map(chunks_with, forms), default=0)
        for form in forms:
            most[form] = max(most.get(form, 0), highest)
    return {term: (chunks_with(term), max(chunks_with(term), most.get(term, 0))) for term in terms}


def inverse_frequency(found: int, chunks: int) -> float:
    """Return the inverse document frequency of BM25 (Robertson and Sparck Jones, 1976) as Tantivy computes it."""
    return math.log(1 + (chunks - found + 0.5) / (found + 0.5))


def common(found: Mapping[Term, int], chunks: int, matches: float) -> frozenset[Term]:
    """Return the terms that are too frequent to match a chunk by; they still count for its score.

    ``found``: the number of chunks with each term. Empty if no rarer term is in at least ``matches`` chunks.
    """
    often = frozenset(term for term, count in found.items() if count > _COMMON * chunks)
    rarer = max((count for term, count in found.items() if term not in often), default=0)
    return often if rarer >= matches else frozenset()


def any_of(clauses: Iterable[Query]) -> Query:
    """Return the query that matches what any of the clauses matches."""
    return Query.boolean_query([(Occur.Should, clause) for clause in clauses])

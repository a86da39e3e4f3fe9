"""Names in a question that no document has: a document that answers would say them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase

_WORD = re.compile(r"[^\W_][\w.+/-]*[\w+]")
_SPECIAL = re.compile(r"\w[A-Z]|_|[A-Za-z]\d")
"""Within a word: what makes it a name of its own ('SameSite', 'QIBM_DB_SECADM', 'TLS1.3') in any language."""
_SIGNS = re.compile(r"[\W_]+")
_PARTS = re.compile(r"[_/+-]|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
"""Where a document may write a name in several words."""
_SHORTEST = 4
_READ = 20


def absent_names(kb: KnowledgeBase, question: str, collections: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names in a question that stand in no document of the collections.

    Only words that are names by their spelling count: other nouns a document may express in other words. Spaces and
    signs within a name make no difference.
    """
    names = [word for word in _WORD.findall(question) if len(word) >= _SHORTEST and _SPECIAL.search(word)]
    return tuple(name for name in dict.fromkeys(names) if not _stands(kb, name, collections))


def _stands(kb: KnowledgeBase, name: str, collections: Sequence[str]) -> bool:
    """Whether one of the best passages for a name has it: the index knows words, of which a name may have several."""
    hits = kb.search(f"{name} {_PARTS.sub(' ', name)}", collections, mode="keyword", top_k=_READ).hits
    return any(_plain(name) in _plain(f"{hit.chunk.text} {kb.document(hit.chunk.document).title}") for hit in hits)


def _plain(text: str) -> str:
    return _SIGNS.sub("", text).casefold()

"""Make titles and identifiers comparable between bibliographies and the documents of the knowledge base."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from rabbithole.kb.models import Scalar
from rabbithole.kb.references.names.name_keys import fold

IDENTIFIERS = ("doi", "arxiv", "isbn", "report")
"""Metadata fields that hold an identifier which bibliographies cite."""
HEAD = 12
"""The number of letters at the beginning of a title by which it is looked up."""
_LETTERS = 15
"""The minimum number of letters of a title; shorter ones are often part of other titles."""
_WORD = re.compile(r"[^\W_]+")


def letters(text: str) -> str:
    """Return the letters and digits of a text in small letters, so that hyphens and blanks do not matter."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def title_letters(title: str) -> Iterator[tuple[str, bool]]:
    """Yield (letters, True) of a title and (letters, False) of its part before a colon, each only if long enough."""
    main = title.partition(":")[0]
    for text, whole in ((title, True), (main, False)):
        found = letters(text)
        if len(_WORD.findall(text)) >= 3 and len(found) >= _LETTERS and (whole or main != title):
            yield found, whole


def identifier_key(kind: str, value: str) -> str:
    """Return an identifier in one spelling: a DOI in small letters without resolver, an arXiv id without version."""
    folded = fold(value).casefold().rstrip(".,;")
    if kind == "doi":
        return re.sub(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", "", folded)
    if kind == "arxiv":
        return re.sub(r"v\d+$", "", re.sub(r"^(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:\s*)", "", folded))
    return re.sub(r"[\s-]", "", folded)


def identifiers_of(metadata: Mapping[str, Scalar]) -> list[tuple[str, str]]:
    """Return (kind, key) of each identifier in a document's metadata."""
    given = [(kind, metadata.get(kind)) for kind in IDENTIFIERS]
    return [(kind, identifier_key(kind, value)) for kind, value in given if isinstance(value, str) and value]

"""Titles and identifiers made comparable, as lists of literature and held documents have them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from rabbithole.kb.models import Scalar
from rabbithole.kb.references.names.name_keys import fold

IDENTIFIERS = ("doi", "arxiv", "isbn", "report")
"""Fields of a document's metadata by which entries of lists of literature name it."""
HEAD = 12
"""Letters by which a title is found."""
_LETTERS = 15
"""Letters that a title has at least: shorter ones stand in other titles too."""
_WORD = re.compile(r"[^\W_]+")


def letters(text: str) -> str:
    """The letters and digits of a text, so that hyphens and blanks do not matter."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def title_letters(title: str) -> Iterator[tuple[str, bool]]:
    """(letters of a title or of its part before the colon, whether it is the whole), where they tell a work."""
    main = title.partition(":")[0]
    for text, whole in ((title, True), (main, False)):
        found = letters(text)
        if len(_WORD.findall(text)) >= 3 and len(found) >= _LETTERS and (whole or main != title):
            yield found, whole


def identifier_key(kind: str, value: str) -> str:
    """One spelling: DOIs in small letters without resolver, arXiv ids without version."""
    folded = fold(value).casefold().rstrip(".,;")
    if kind == "doi":
        return re.sub(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", "", folded)
    if kind == "arxiv":
        return re.sub(r"v\d+$", "", re.sub(r"^(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:\s*)", "", folded))
    return re.sub(r"[\s-]", "", folded)


def identifiers_of(metadata: Mapping[str, Scalar]) -> list[tuple[str, str]]:
    """(kind, key) of each identifier that a document's metadata give."""
    given = [(kind, metadata.get(kind)) for kind in IDENTIFIERS]
    return [(kind, identifier_key(kind, value)) for kind, value in given if isinstance(value, str) and value]

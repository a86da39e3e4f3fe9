"""Leaves out acronyms that are taken for laws in a text that cites no section of a law. Pure, linear."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rabbithole.kb.models import Reference

_MIXED_CASE = re.compile(r"[A-ZÄÖÜ]+[a-zäöüß]+(?:[A-ZÄÖÜ]+[a-zäöüß]*)*[A-ZÄÖÜ]+")
"""An abbreviation like that of a law."""
_SIGNS = frozenset({"§", "Art"})


def without_bare_acronyms(
    found: Sequence[Reference], is_name: Callable[[str], bool], only_known: Callable[[str], bool]
) -> tuple[Reference, ...]:
    """Return the references without acronyms that may be laws only by their letters: "SVG", "AO", "GnuPG".

    Such an acronym counts where the text cites a section of any law, or calls the same law by another name; one that no
    list has, also where the text names any law.
    ``is_name`` tells whether words are the name of a document, ``only_known`` whether they are that of a known law that
    the knowledge base does not hold.
    """
    cited = (one for one in found if one.kind == "legal_section" and one.path and one.path[0][0] in _SIGNS)
    if any(one.document and (is_name(one.document) or not one.document.isupper()) for one in cited):
        return tuple(found)
    spelled_out = {one.target for one in found if one.kind == "document_mention" and not one.text.isupper()}

    about_law = any(one.kind == "document_mention" and not one.text.isupper() and only_known(one.text) for one in found)

    def bare(one: Reference) -> bool:
        return one.kind == "document_mention" and one.text.isupper() and one.text.isalpha() and only_known(one.text)

    def shaped(one: Reference) -> bool:
        return one.kind == "document_mention" and bool(_MIXED_CASE.fullmatch(one.text)) and not is_name(one.text)

    if not about_law:
        found = [one for one in found if not shaped(one)]
    return tuple(one for one in found if one.target in spelled_out or not bare(one))

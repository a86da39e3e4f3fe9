"""The grammar: one module for each family of forms. To add a form, add an entry to its module's ``FORMS``; a word that
stands before a number, such as "Rule", is a row of ``units.json``.

If several forms share a trigger, the first in this order that reads a reference wins.
"""

from __future__ import annotations

from . import academic, author_year, documents, eu, external, parenthesised, published, standards
from .english import citations as english_citations
from .english import us_sources
from .form import Form
from .german import citations as german_citations
from .german import ordinances, unregistered
from .german import relative as german_relative

ALL_FORMS: tuple[Form, ...] = (
    *us_sources.FORMS,
    english_citations.FORMS[0],
    *german_citations.FORMS,
    *eu.FORMS,
    *standards.FORMS,
    *published.FORMS,
    *german_relative.FORMS,
    *english_citations.FORMS[1:],
    *documents.FORMS,
    *academic.FORMS,
    *author_year.FORMS,
    *parenthesised.FORMS,
    *external.FORMS,
    *unregistered.FORMS,
    *ordinances.FORMS,
)

"""The grammar: a module a family of forms. A new form is an entry in its module's ``FORMS``, nothing else.

Where several forms share a trigger, the first in this order that reads a reference wins.
"""

from __future__ import annotations

from . import (
    academic,
    author_year,
    documents,
    english_law,
    eu,
    external,
    german_law,
    german_relative,
    parenthesised,
    published,
    standards,
    unregistered,
    us_sources,
)
from .form import Form

ALL_FORMS: tuple[Form, ...] = (
    *us_sources.FORMS,
    english_law.FORMS[0],
    *german_law.FORMS,
    *eu.FORMS,
    *standards.FORMS,
    *published.FORMS,
    *german_relative.FORMS,
    *english_law.FORMS[1:],
    *documents.FORMS,
    *academic.FORMS,
    *author_year.FORMS,
    *parenthesised.FORMS,
    *external.FORMS,
    *unregistered.FORMS,
)

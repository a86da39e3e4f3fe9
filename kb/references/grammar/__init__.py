"""The grammar: a module a family of forms. A new form is an entry in its module's ``FORMS``, nothing else."""

from __future__ import annotations

from . import german_law
from .form import Form

ALL_FORMS: tuple[Form, ...] = (*german_law.FORMS,)

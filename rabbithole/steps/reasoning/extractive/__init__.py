"""The extractive reasoner: a module a phase."""

from .reasoner import ExtractiveReasoner

__all__ = ["ExtractiveReasoner"]

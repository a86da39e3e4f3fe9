"""The extractive reasoner, with one module per phase."""

from .reasoner import ExtractiveReasoner

__all__ = ["ExtractiveReasoner"]

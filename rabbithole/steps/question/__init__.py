"""Understands the question: its parts, the places and documents it names, and whether it asks for anything."""

from .models import NamedPlace, Understood
from .parts import is_compared
from .understood import understand

__all__ = ["NamedPlace", "Understood", "is_compared", "understand"]

"""Understands the question: its parts, the places and documents it names, and whether it asks for anything."""

from .models import NamedPlace, Understood
from .understood import understand

__all__ = ["NamedPlace", "Understood", "understand"]

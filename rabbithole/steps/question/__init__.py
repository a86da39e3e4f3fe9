"""The question understood: its parts, the places and documents it names, whether it has a matter at all."""

from .models import NamedPlace, Understood
from .understood import understand

__all__ = ["NamedPlace", "Understood", "understand"]

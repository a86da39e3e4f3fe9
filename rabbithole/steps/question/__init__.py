"""Understands the question: its parts, the places and documents it names, and whether it asks for anything."""

from rabbithole.steps.reasoning.text.question_parts import is_compared

from .models import AbsentWord, Correction, NamedPlace, Strange, Understood
from .understood import read_as, understand

__all__ = ["AbsentWord", "Correction", "NamedPlace", "Strange", "Understood", "is_compared", "read_as", "understand"]

"""Understands the question: its parts, the places and documents it names, and whether it asks for anything."""

from rabbithole.steps.reasoning.parts.question_parts import is_compared

from .models import AbsentWord, NamedPlace, SpellingCorrection, Strange, Understood
from .understood import read_as, understand

__all__ = [
    "AbsentWord",
    "NamedPlace",
    "SpellingCorrection",
    "Strange",
    "Understood",
    "is_compared",
    "read_as",
    "understand",
]

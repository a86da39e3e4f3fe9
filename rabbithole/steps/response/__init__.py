"""Builds the answer: chooses what to quote for each part of a question, adds what qualifies it, and words it."""

from .models import Block, QuotedPassage, Response
from .render import response_markdown
from .respond import respond

__all__ = ["Block", "QuotedPassage", "Response", "respond", "response_markdown"]

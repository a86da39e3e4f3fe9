"""Builds the answer: chooses what to quote for each part of a question, adds what qualifies it, and words it."""

from .models import Block, Passage, Response
from .render import response_markdown
from .respond import respond

__all__ = ["Block", "Passage", "Response", "respond", "response_markdown"]

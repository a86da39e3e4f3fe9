"""The answer first: what is quoted for each part of a question, what qualifies it, and how it is worded."""

from .models import Block, Passage, Response
from .render import response_markdown
from .respond import respond

__all__ = ["Block", "Passage", "Response", "respond", "response_markdown"]

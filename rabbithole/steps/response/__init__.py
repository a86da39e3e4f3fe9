"""The answer of a report: what is quoted for each part of a question, what qualifies it, and how it is worded.

It quotes what ``steps/selection`` chose. How documents are read before is in ``steps/phases`` and
``steps/answering``.
"""

from .models import Block, Passage, Response
from .render import response_markdown
from .respond import respond

__all__ = ["Block", "Passage", "Response", "respond", "response_markdown"]

"""What a follow-up refers to, and what of it a finished report answers without a search.

Pure: no knowledge base and no model. ``resolve`` says what is meant, ``reply`` answers from the report.
"""

from .context import Context, Point, context_of
from .models import FollowUp, Kind
from .reply import reply
from .resolve import resolve
from .suggestions import suggestions

__all__ = ["Context", "FollowUp", "Kind", "Point", "context_of", "reply", "resolve", "suggestions"]

"""Follow-up messages after a report: what they refer to, and the answers that need no search.

Pure functions: no knowledge base, no model. ``resolve`` interprets a message, ``reply`` answers it from the report.
"""

from .context import Context, Point, context_of
from .interpret import resolve
from .models import FollowUp, Kind
from .reply import reply
from .suggestions import suggestions

__all__ = ["Context", "FollowUp", "Kind", "Point", "context_of", "reply", "resolve", "suggestions"]

"""The phases of research, one module each, and the decisions they make.

No event and no context of a workflow is known here.
"""

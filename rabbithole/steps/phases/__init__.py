"""The phases of research, one module each, and the decisions they make.

Nothing here knows the events or the context of the workflow.
"""

"""Makes the decisions of the answer workflow: search, select, look at the outline, read one section.

The workflow that calls them is ``workflow/answer.py``.
"""

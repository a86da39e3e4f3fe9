"""The decisions of the answer workflow: search, select, inspect the outline, read one section.

The workflow itself is ``workflow/answer.py``.
"""

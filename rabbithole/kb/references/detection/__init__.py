"""Detection: which spans of a text are references, and what is none.

The forms themselves are in ``grammar``; where a reference leads is decided in ``resolution``.
"""

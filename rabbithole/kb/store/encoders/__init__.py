"""Models that turn texts into vectors, and which of them is used.

How vectors are stored and searched is in ``store/vectors``.
"""

"""Linked search: passages reached from the first hits by the names in them, for questions that need several places.

The lists it starts from are fused by ``hybrid``.
"""

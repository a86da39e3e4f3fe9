"""Runs an ingestion: which files are read, by which processes, and what became of each.

Reading pages and documents is done in ``page``, ``outline`` and ``document``.
"""

"""A run of ingestion: which files are read, by which processes, and what became of each.

What a page or document is made of lives in ``page``, ``outline`` and ``document``.
"""

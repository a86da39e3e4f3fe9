"""Resolves a reference to the document, section and span it names, by key.

Nothing is guessed by similarity; names are looked up in ``names``.
"""

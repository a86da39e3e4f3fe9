"""Builds one document for the store: opens and parses the file, reads its bibliography, cuts it into chunks.

Its title, date and other metadata come from ``metadata``; ``run`` processes many files.
"""

"""Builds one document for the store: opened, parsed, titled, with bibliography and chunks.

``run`` processes many files.
"""

"""Bibliographies: their entries in a document's text, and the entry that a call-out means.

``resolution`` finds the held document that an entry describes.
"""

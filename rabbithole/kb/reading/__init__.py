"""Documents of the knowledge base as people read them: text, pages, sections by number, quotations.

Searching all documents is done in ``search``.
"""

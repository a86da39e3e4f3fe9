"""Readers of formats without fixed pages: HTML, Markdown, plain text, Word, OpenDocument, EPUB, XML of laws.

Each turns a file into ``blocks``; ``build`` turns blocks into what the PDF reader gives. ``read`` chooses the reader.
"""

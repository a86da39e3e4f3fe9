"""Readers of formats without fixed pages: HTML, Markdown, plain text, Word, OpenDocument, EPUB, XML of laws.

Most readers turn a file into ``blocks``, and ``document_builder`` turns these into the same result as the PDF reader
gives. ``reader_choice`` chooses the reader.
"""

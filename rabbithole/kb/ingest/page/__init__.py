"""Reads one page of a PDF as lines of text: reading order, running lines, footnotes, tables, OCR.

Nothing here depends on the document's headings or the store.
"""

"""One page of a PDF as lines of text: reading order, furniture, footnotes, tables, OCR.

Nothing here knows headings of the whole document or the store.
"""

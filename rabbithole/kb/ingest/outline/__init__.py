"""Finds the outline of a document: headings, their numbers and levels, sections.

Works on the lines that ``page`` read and depends on neither a PDF library nor the store.
"""

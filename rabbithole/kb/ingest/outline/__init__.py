"""The outline of a document: headings, their numbers and levels, sections.

Works on lines that ``page`` read; knows no PDF library and no store.
"""

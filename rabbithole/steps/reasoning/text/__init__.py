"""Text tools that reasoners share: sentences, terms, tables, figures, similarity.

Pure functions on strings; no model and no store.
"""

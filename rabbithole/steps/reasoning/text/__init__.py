"""Text tools shared by the reasoners: sentences, terms, tables, figures, similarity.

Pure functions on strings, without model or store.
"""

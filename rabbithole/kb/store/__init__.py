"""The store: catalog, keyword index and vectors, changed together.

Ranking and resolution read from it; they are elsewhere.
"""

"""The store: catalog, keyword index and vectors, changed together.

Ranking and resolution ask it; they do not live here.
"""

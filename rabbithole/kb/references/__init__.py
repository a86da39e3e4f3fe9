"""References: detected by a grammar, named by a registry, resolved by key, joined to a graph.

Nothing here reads PDFs or calls a model.
"""

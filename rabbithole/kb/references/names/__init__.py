"""Names of documents: the registry, the keys of names, and known works outside the knowledge base.

``resolution`` finds places inside a document.
"""

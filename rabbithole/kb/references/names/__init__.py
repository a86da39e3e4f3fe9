"""Names of documents: the registry, its keys, and what is known to exist without being held.

Places inside a document are the matter of ``resolution``.
"""

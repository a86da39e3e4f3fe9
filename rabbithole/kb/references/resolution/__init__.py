"""Resolution: from a reference to the document, section and span it names, by key.

Nothing is guessed by similarity here; names are looked up in ``names``.
"""

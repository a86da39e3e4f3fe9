"""Names kept in ``names.sqlite`` and looked up by key; nothing is loaded whole.

What names mean (editions, families, abbreviations) is decided one folder up.
"""

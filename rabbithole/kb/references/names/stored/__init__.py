"""The names of documents in ``names.sqlite``, looked up by key without loading the whole table.

The folder above interprets names (editions, families, abbreviations).
"""

"""The index of chunks and its adapters: their interface is ``store/ports.py``.

``embedded`` joins a Tantivy index of words with one of the vector indexes of ``store/vectors``.
"""

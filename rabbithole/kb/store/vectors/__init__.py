"""The vector indexes: memory-mapped files or Chroma. Their interface is ``vector_index.py``.

The encoders, which make the vectors, are in ``store/encoders``.
"""

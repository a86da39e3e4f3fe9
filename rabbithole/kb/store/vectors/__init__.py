"""The vector indexes and the choice between them: memory-mapped files or Chroma. Their interface is ``store/ports.py``.

The encoders, which make the vectors, are in ``store/encoders``.
"""

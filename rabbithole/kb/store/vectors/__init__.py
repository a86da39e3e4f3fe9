"""The indexes of vectors and the choice between them: mapped files or Chroma. The port stands in ``store/ports.py``.

Encoders, which make the vectors, are in ``store/encoders``.
"""

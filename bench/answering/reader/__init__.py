"""Trains the reader that finds where a passage answers a question (``kb/store/encoders/span_reader.py``)."""

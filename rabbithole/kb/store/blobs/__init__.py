"""Copies of the ingested files where every machine can read them; the interface ``Blobs`` is in ``store/ports.py``."""

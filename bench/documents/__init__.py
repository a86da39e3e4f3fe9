"""Benchmarks of reading documents: outlines, formats, speed, drafts."""

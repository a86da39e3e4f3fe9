"""Measuring answers and retrieval on question sets."""

"""Measure answers and retrieval on question sets."""

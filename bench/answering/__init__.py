"""Benchmarks of choosing and writing answers, judged against gold."""

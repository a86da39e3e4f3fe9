"""Benchmarks of search: ranking, fusion, embeddings, large collections."""

"""Benchmarks of references and names against gold: detection, resolution, following."""

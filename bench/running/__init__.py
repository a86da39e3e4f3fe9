"""Benchmarks of whole runs: cost, time, fan-out, startup, the chat."""

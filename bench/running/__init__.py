"""Whole runs: cost, time, fan-out, start, the chat."""

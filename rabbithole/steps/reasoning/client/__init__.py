"""The client of model servers: calls, retries, streaming, cache, probing.

What is asked of a model is in ``llm`` and ``prompts``.
"""

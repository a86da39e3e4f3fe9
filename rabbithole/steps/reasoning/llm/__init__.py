"""Reasoning with a language model through LlamaIndex."""

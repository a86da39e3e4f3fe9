"""Reasoners behind one protocol: extractive, or with a language model.

The phases call the protocol; nothing here knows the workflow.
"""

"""Reasoning behind one protocol: extractive, or with a language model.

Phases call the protocol; nothing here knows a workflow.
"""

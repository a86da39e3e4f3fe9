"""Reasoning with a language model: one module per phase fills in its prompt and checks the answer.

``schemas`` has the JSON that is asked for, ``prompts`` (beside this folder) the texts, ``client`` makes the calls.
"""

"""The chat's runs and conversations: start, answer, store and restore them.

Their presentation is in ``view``.
"""

"""The chat's runs: start, answer, reduce their events to a view, store and restore them.

Their presentation is in ``view``, the conversations that lead to them in ``conversation``.
"""

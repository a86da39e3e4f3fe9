"""The run: its state, ledger, store, start and resume.

What a run's report looks like is in ``report``.
"""

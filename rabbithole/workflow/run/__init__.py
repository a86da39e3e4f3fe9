"""The run: its state and ledger, the reducer that changes them, sessions, the run store, start and resume.

What a run's report looks like is in ``report``; the flows themselves are ``research.py`` and ``answer.py``.
"""

"""Detects which spans of a text are references and which only look like one.

The forms themselves are in ``grammar``; ``resolution`` decides where a reference leads.
"""

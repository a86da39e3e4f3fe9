"""Finds what a document is: title, designation, date, people, language; printed on it or given beside it by people.

How its text is read and divided is in ``page``, ``outline`` and ``document``.
"""

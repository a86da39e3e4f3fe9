"""Checking a draft: reading it from a file, and showing the findings as a page, in Word or in the terminal.

What is checked, and how, is in ``steps/draft_check``.
"""

"""Reading a draft from a file, and showing the findings as an HTML page, as Word comments or in the terminal.

The checks themselves are in ``steps/draft_check``.
"""

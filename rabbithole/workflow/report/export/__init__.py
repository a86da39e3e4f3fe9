"""A report as a file: HTML, PDF, Word, a folder of linked notes, a bibliography.

``report_files`` chooses the writer by the name of the file; the Markdown comes from ``report/markdown.py``.
"""

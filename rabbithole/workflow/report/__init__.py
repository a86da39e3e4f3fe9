"""The report: assembled, drawn as a graph, written as Markdown, HTML or PDF.

The phases that find its content are in ``steps/phases``.
"""

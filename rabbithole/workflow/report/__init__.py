"""The report: assembled, drawn as a graph, written as Markdown; ``export`` makes other files of it.

The phases that find its content are in ``steps/phases``.
"""

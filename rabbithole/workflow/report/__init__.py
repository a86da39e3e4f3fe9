"""The report: its assembly, its graph of references and its Markdown; ``export`` writes other file formats.

The phases that produce its content are in ``steps/phases``.
"""

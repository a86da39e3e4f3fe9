"""The sample collection: its sources, its gold questions, and the script that makes its PDFs.

What is built from it does not live here.
"""

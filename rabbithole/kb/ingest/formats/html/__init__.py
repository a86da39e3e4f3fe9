"""Reads HTML: ``html_reader`` parses a page and reads its properties, ``html_walk`` writes its elements as blocks.

Markdown, EPUB and the XML of laws are written as blocks by the same walk.
"""

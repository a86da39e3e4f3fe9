"""Footnotes of a page, and where they stand in the text."""

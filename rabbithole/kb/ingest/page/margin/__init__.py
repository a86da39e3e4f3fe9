"""Words and headings printed in the margin of a page, beside the text."""

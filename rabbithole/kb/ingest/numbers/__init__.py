"""The numbers of headings and pages: decimal, lettered, in words, Roman."""

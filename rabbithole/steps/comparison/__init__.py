"""Two editions of one document, section by section: what was added, removed, moved and changed, word by word."""

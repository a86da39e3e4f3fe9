"""Places inside one document: the sections of its outline by number, their parts and lists, and a path through them."""

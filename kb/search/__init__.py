"""Knowledge base: search."""

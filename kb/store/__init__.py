"""Knowledge base: store."""

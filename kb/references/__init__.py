"""Knowledge base: references."""

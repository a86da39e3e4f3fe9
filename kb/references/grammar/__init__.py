"""Knowledge base: references grammar."""

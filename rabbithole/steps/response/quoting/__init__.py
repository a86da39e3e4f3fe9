"""Turns chosen units into passages to quote: where they begin and end, their evidence, and what is bold."""

"""Reads tables of figures without rules, as annual reports print them, from the places of their figures."""

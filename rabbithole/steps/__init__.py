"""Rabbithole steps: what is done, a module a phase."""

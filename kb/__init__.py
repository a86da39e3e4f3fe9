"""Rabbithole knowledge base: what is known."""

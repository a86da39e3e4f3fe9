"""Rabbithole workflow: how it flows."""

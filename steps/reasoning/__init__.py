"""Rabbithole: ways of thinking behind one interface."""

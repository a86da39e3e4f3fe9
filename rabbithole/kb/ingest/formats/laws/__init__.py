"""Readers of law XML: German federal laws, Akoma Ntoso and Formex, each with the structure its format gives."""

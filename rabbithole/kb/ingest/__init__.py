"""Ingestion: turns files into documents in the store.

It reads pages, finds the outline, builds the document and runs the pipeline; searching and resolving live elsewhere.
"""

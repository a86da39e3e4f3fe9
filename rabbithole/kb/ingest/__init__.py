"""Ingestion: from PDF files to documents in the store.

Reading pages, finding the outline, building the document, running the pipeline; searching and resolving live elsewhere.
"""

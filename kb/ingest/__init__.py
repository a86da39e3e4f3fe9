"""Knowledge base: ingest."""

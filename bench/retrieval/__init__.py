"""Search: ranking, fusion, embeddings, at scale."""

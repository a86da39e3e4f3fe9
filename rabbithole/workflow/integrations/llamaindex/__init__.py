"""Adapters for LlamaIndex: retriever, query engine, function tools, embedding and nodes of a knowledge base.

They only translate to LlamaIndex's classes; the work is done in ``kb`` and ``workflow``.
"""

from .embedding import RabbitholeEmbedding
from .function_tools import rabbithole_tools
from .nodes import collection_documents, document_nodes, put_nodes
from .query_engine import RabbitholeQueryEngine
from .retriever import RabbitholeRetriever

__all__ = [
    "RabbitholeEmbedding",
    "RabbitholeQueryEngine",
    "RabbitholeRetriever",
    "collection_documents",
    "document_nodes",
    "put_nodes",
    "rabbithole_tools",
]

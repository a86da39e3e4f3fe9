"""At home in LlamaIndex: retriever, query engine, function tools, embedding and nodes of a knowledge base.

Only adapters to LlamaIndex's own classes live here; what they call is in ``kb`` and ``workflow``.
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

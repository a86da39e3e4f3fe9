"""Interfaces for other programs: typed tools, MCP, HTTP, LlamaIndex.

The command line and the chat have their own folders.
"""

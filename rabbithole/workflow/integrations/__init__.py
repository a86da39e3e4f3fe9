"""Ways in for other programs: typed tools, MCP, HTTP.

The command line and the chat have folders of their own.
"""

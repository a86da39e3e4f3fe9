"""The chat: a Chainlit application over the workflows.

``server`` is the HTTP server, ``runs`` manages the runs, ``view`` turns them into what the browser shows.
"""

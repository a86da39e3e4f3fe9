"""The chat: a Chainlit application over the workflows.

``server`` speaks HTTP, ``runs`` holds the runs, ``view`` makes them visible.
"""

"""The chat's server: routes, access, and the adapter to Chainlit.

Documents and their pages are in ``documents``, the state of runs in ``runs``.
"""

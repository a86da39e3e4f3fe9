"""The chat's server: routes, logins, and the adapter to Chainlit.

Documents and their pages are in ``documents``, the state of runs in ``runs``.
"""

"""The view of a run: a fold of its events, as JSON, HTML and a drawn graph.

Pure; no connection and no database.
"""

"""The view of a run, reduced from its events, and its form as JSON, HTML and a drawn graph.

It opens no connection and no database.
"""

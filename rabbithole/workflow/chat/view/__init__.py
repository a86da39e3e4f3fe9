"""The forms of a run's view: JSON, HTML and a drawn graph.

It opens no connection and no database.
"""

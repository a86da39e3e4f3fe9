"""Conversations: a message becomes a run, a reply or a document, and what it needs is composed here.

The runs themselves are in ``runs``.
"""

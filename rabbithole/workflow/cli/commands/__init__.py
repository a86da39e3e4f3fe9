"""The commands of ``rabbithole``, a module a group.

What several of them share is one folder up.
"""

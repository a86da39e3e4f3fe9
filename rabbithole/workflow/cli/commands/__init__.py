"""The commands of ``rabbithole``, one module per group.

Code that several of them share is one folder up.
"""

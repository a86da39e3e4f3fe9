"""The graph of resolved references of a collection, and the works it refers to but does not hold.

The graph of a single run is in ``workflow/report``.
"""

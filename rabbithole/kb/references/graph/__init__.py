"""The graph of resolved references of a collection, and what it lacks.

The graph of a single run is in ``workflow/report``.
"""

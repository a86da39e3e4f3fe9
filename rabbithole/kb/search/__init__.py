"""Search by keywords, meaning and names, fused, within a scope.

The indexes themselves are in ``store``.
"""

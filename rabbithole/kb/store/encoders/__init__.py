"""Models that turn texts into vectors, and the choice among them.

``store/vectors`` stores and searches the vectors.
"""

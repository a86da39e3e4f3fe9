"""One document as the store takes it: opened, parsed, titled, with bibliography and chunks.

Running many files through this is the matter of ``run``.
"""

"""Forms of English and American texts: sections, paths, containers, codes.

A new English form is an entry in a module's ``FORMS``.
"""

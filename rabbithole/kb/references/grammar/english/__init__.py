"""Forms of English and American texts: sections, paths, containers, codes.

To add an English form, add an entry to a module's ``FORMS``.
"""

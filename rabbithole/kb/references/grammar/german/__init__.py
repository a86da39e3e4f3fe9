"""Forms of German law: sections, paths, acts and the names of laws.

To add a German form, add an entry to a module's ``FORMS``.
"""

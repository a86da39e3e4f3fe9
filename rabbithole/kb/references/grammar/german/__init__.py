"""Forms of German law: sections, paths, acts and the names of laws.

A new German form is an entry in a module's ``FORMS``.
"""

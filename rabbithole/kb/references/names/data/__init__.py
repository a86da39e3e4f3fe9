"""Names of German laws and of works known to exist: reviewed data, and the script that makes the first.

Only data and its maker live here; look-ups are in ``names``.
"""

"""The chat's server: routes, logins, uploads, documents and pages for the browser.

The state of runs is in ``runs``.
"""

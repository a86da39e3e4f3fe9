"""Documents in the chat: listed, chosen, added, removed, and their pages drawn for the browser.

Routes and logins are in ``server``.
"""

"""Documents in the chat: list, choose, add and remove them, and draw their pages for the browser.

Routes and logins are in ``server``.
"""

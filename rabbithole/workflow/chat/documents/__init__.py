"""Documents in the chat: list, choose, add and remove them, and draw their pages for the browser.

Routes are in ``server``, what a conversation does with documents in ``conversation``.
"""

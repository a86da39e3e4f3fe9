"""The chat: a Chainlit application over the workflows.

``server`` is the HTTP server, ``runs`` manages the runs, ``view`` turns them into what the browser shows, ``documents``
lists and draws documents, ``locales`` has the texts. What runs in the browser is in ``public``, at the top of the
repository.
"""

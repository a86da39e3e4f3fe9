"""The chat: a Chainlit application over the workflows.

``server`` is the HTTP server, ``conversation`` turns messages into runs, ``documents`` lists and draws documents,
``view`` turns runs into what the browser shows, ``runs`` manages and stores them, ``locales`` has the texts. The
modules beside them hold the settings, threads and logins. What runs in the browser is in ``public``, at the top of the
repository.
"""

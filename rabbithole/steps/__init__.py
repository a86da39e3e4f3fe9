"""The steps of research and answering, as functions that know no workflow.

``phases`` are the phases of research, ``answering`` the decisions of the answer workflow. Both use ``question`` (what
is asked), ``selection`` (which sentences may answer it), ``response`` (the answer made of them) and ``reasoning``
(the reasoners, with or without a model). ``follow_up``, ``comparison`` and ``draft_check`` do one task each. Modules
beside these folders are used by several of them (``follow_limits`` says when a task stops following); ``locales`` has
the fixed sentences, in JSON.
"""

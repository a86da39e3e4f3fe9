"""Check the user's own text: its references, quotations and figures against the knowledge base.

Nothing here knows files or formats; reading drafts and showing findings is in ``workflow/draft_check``.
"""

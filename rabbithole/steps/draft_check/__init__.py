"""Checking somebody's own text: its references, quotations and figures against the knowledge base.

Pure of files and formats; reading drafts and showing findings is in ``workflow/draft_check``.
"""

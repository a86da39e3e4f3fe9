"""Trains what E5 learned for answers: which passages are near a question, and where one of them answers."""

"""Choosing and writing answers, judged against gold."""

"""Answering one question by selective reading: search, select one, look at its outline, read one section."""

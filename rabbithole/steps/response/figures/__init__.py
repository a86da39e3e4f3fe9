"""Figures of tables: the rows that go with a figure asked for, and what is bold in a table."""

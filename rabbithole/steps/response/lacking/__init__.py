"""What stands in the way of an answer: documents not held, names that stand nowhere, figures not stated."""

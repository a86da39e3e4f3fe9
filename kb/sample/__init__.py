"""The sample collection: sources, questions with gold, and what builds and shows it."""

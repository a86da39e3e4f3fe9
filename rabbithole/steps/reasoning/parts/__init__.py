"""The parts of a question: what each asks, and the subject it leaves to another."""

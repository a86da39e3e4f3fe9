"""What stands below an answer: exceptions and conditions, other figures, and what derogates from it."""

"""Which work goes first: priorities, and CPU-bound work in threads in their order."""

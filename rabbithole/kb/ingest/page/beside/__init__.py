"""What is printed side by side and is neither columns of running text nor rows of a table."""

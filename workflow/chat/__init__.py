"""The chat: what people see of a research and how they steer it."""

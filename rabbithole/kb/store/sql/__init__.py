"""The catalog in a database: one SQL text, which SQLite and PostgreSQL both take, and what differs between the two."""

"""The run store on SQLite and on PostgreSQL: what both do, the tables and leases of each, and the choice."""

"""References: found, resolved, followed; names; against gold."""

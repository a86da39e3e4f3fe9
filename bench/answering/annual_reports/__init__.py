"""Three annual reports made for trying figures in tables, and questions on them."""

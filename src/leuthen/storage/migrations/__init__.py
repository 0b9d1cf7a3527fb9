"""The history of the tables, with one module per change."""

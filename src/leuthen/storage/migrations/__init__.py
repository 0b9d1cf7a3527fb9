"""How the tables came to be what they are: one module for each change, in the order in which they were made."""

"""Play for people at a terminal: a line of orders, the situation as text and as a map of characters, and the rules."""

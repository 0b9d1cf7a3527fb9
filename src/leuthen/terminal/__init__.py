"""Play at a terminal: order lines, the situation as text and as a character map, and the rules."""

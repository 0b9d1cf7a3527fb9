"""Exact odds: worked out by the rules themselves, asked for in a line of text, told as text or as a sheet."""

"""Exact odds, computed by the rules themselves and asked in a line of text."""

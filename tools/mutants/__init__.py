"""Breaks the rules in one place at a time, and lists the breaks that no test notices."""

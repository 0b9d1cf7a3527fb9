"""Bulk play: the machine against itself, as often as wanted, the same games for the same seed."""

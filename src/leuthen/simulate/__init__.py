"""Bulk play: games between bots, reproducible by seed."""

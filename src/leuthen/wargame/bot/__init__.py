"""Skeleton of the bots of all wargames."""

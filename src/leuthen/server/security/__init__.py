"""Checks of requests before they reach a game, and limits."""

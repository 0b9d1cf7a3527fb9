"""Bots on the server, and the processes for slow work."""

"""The changes, each with its number and that of the one before it."""

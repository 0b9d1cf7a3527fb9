"""Tools of those who work on the game; nothing that a player needs."""

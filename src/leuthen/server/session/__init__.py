"""Games, their seats and the messages of each seat, without web framework and database."""

"""Games, their seats, and what each seat is told: no web framework and no database."""

"""The storage of games: a database with one writer, which commits for all waiting requests, and parallel readers."""

"""Several servers on one database: each game is led by one of them, and the others pass on what is asked of it."""

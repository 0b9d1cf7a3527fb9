"""Where games are kept: a database, one writer that commits for everybody who waits, and readers beside it."""

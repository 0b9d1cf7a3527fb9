"""How a table shows a game: what every rule set shares, from the values that a client draws to the story of a war."""

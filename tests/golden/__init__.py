"""Golden games: whole games with known positions at each turn, which show the effect of a rule change and its place."""

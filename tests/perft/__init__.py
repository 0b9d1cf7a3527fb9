"""How many ways play can go from small positions: numbers that a change of the rules cannot leave as they are."""

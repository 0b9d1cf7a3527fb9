"""Generation of the board data from public-domain geography and the decisions in `decisions.csv`."""

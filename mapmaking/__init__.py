"""Makes the data of the board from public-domain geography and the decisions in `decisions.csv`."""

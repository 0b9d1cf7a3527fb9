"""The display model that all rule sets share, from the values that a client draws to the story of a war."""

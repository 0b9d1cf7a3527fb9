"""How strong the nations of the second rule set stay (R18.4): the fit of their new troops, and the measure."""

"""How the rule set shows itself at a table, part by part; `presenter` puts the parts together."""

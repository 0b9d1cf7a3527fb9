"""How the rule set shows itself at a table, part by part; `window` puts the parts together."""

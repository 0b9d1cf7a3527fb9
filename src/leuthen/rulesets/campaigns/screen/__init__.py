"""How the rule set shows itself at a table."""

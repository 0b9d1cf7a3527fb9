"""The display of the rule set at a table; `presenter` puts the parts together."""

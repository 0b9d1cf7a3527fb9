"""The display of the rule set at a table."""

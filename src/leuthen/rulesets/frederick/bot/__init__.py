"""Machine players of this rule set (docs/bots.md)."""

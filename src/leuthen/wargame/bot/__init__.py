"""What the generals of all rule sets have learned from their own games."""

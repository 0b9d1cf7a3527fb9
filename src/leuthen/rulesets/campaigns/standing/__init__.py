"""Standing instructions: what a side answers beforehand while the other side is active (docs/decisions/standing.md)."""

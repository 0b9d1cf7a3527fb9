"""Cases: positions as text, what is done in them and what must come of it (docs/cases.md)."""

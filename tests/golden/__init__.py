"""Whole games whose positions are known turn by turn: a change of the rules shows in them, and where."""

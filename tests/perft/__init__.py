"""Perft: counts of action sequences from small positions, which reveal changes of the rules."""

"""The Fords: a small block game of hidden strengths, written as the tutorial teaches it (docs/tutorial.md)."""

"""The Fords: a small block game with hidden strengths, the example of docs/tutorial.md."""

"""The slower proofs: whole games and interruptions by the thousand, and whatever takes longer than a test may.

`make prove` runs them all, goes on where it was stopped, and writes a line of JSON for each part into `build/prove`.
"""

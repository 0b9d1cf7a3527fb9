"""Slow proofs: thousands of whole games and interruptions, and other checks that take too long for a test.

`make prove` runs them all, resumes after an interruption, and writes a line of JSON for each part into `build/prove`.
"""

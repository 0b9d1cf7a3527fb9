"""Wire snapshots and bot decisions that must stay equal through a refactoring.

`python -m tests.judge make` writes them, `check` compares them, and `--dump DIR` writes every answer in full, so that
two versions can be compared with diff. Golden games, perft, vectors, cases and laws are separate tests.
"""

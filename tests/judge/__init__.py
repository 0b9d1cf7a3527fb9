"""What must stay equal while the code is made smaller: wire snapshots and decisions of the bots.

`python -m tests.judge make` writes them, `python -m tests.judge check` compares, and `--dump DIR` writes every answer
in full, so that two versions can be compared with diff. Golden games, perft, vectors, cases and laws stand beside them.
"""

"""The accountable umpire: what a server commits to, signs and opens, so that players can check it (docs/trust.md)."""

"""The proof of a game: its protocol, its ledger, and its verification."""

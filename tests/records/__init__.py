"""Records of games as they were played by each version of the rules: they are kept for ever, and never renewed."""

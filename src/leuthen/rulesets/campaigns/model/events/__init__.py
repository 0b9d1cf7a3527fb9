"""What happened: facts in the past tense, of which each viewer gets what he may know."""

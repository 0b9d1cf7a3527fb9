"""What a request passes before it comes near a game, and how much there may be of everything."""

"""Programs that use Leuthen: bots, and a game of its own."""

"""Development tools; players do not need them."""

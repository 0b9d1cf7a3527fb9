"""The HTTP application and its routes."""

"""Tests for the extra `cluster`: `make cluster` installs it and runs them."""

"""What needs the extra `cluster`: `make cluster` installs it and runs these."""

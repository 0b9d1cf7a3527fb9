"""The tables of version 1.0, which a database has from the beginning (`tables.py`)."""

revision = "1.0"
down_revision = None

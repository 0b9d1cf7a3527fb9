"""Several servers may share a database: who they are, and which of them leads which game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """No game is led by anybody at first: who needs it takes it."""
    op.create_table(
        "servers",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("address", sa.String(255), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "leads",
        sa.Column("game", sa.String(40), primary_key=True),
        sa.Column("server", sa.String(40), nullable=False, index=True),
    )

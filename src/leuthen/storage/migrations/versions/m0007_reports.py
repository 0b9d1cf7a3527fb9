"""The staff's reports on games that have ended are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Games that have ended get theirs when somebody asks."""
    op.create_table(
        "reports",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.String(80), nullable=False),
        sa.Column("report", sa.Text, nullable=False),
    )

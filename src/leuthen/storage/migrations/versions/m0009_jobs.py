"""What machines have to think stands in a queue that the servers of a database share."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Nothing waits at first."""
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("server", sa.String(40), sa.ForeignKey("servers.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("task", sa.LargeBinary, nullable=False),
        sa.Column("patience", sa.Float, nullable=False),
        sa.Column("spent", sa.Float, nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("outcome", sa.LargeBinary),
    )

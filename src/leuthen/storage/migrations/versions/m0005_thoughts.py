"""Machines that lead a seat keep a thought from one decision to the next."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Games that go on begin without one."""
    op.create_table(
        "thoughts",
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("thought", sa.LargeBinary, nullable=False),
    )

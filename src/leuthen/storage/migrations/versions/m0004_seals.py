"""What makes a game one whose dice and secrets can be checked: the key of its signature, and the lines of its proof."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Older games have no seal, and go on with the dice that they had."""
    op.create_table(
        "seals",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("signing", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "proof",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
    )

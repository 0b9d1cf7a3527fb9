"""Who sits at a table has a name and a colour."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Who sat down before goes without a name until he gives one."""
    op.add_column("seats", sa.Column("player", sa.String(40), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("colour", sa.String(20), nullable=False, server_default=""))

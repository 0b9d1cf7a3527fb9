"""Who watches has a name and a colour."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Who came before goes without a name until he gives one."""
    op.add_column("devices", sa.Column("player", sa.String(40), nullable=False, server_default=""))
    op.add_column("devices", sa.Column("colour", sa.String(20), nullable=False, server_default=""))

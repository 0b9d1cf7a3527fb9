"""The key of a game's dice is kept with it, and what may be taken back in it."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Older games go on with a key that is made here, once; players had to consent to their takebacks."""
    op.create_table(
        "dice_keys",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("key", sa.LargeBinary, nullable=False),
    )
    op.add_column("games", sa.Column("takebacks", sa.String(20), nullable=False, server_default="consent"))
    games = op.get_bind().execute(sa.text("SELECT id FROM games")).scalars()
    keys = sa.table("dice_keys", sa.column("game", sa.String), sa.column("key", sa.LargeBinary))
    op.bulk_insert(keys, [{"game": game, "key": secrets.token_bytes(32)} for game in games])
    op.execute("UPDATE about SET value = '2' WHERE name = 'schema'")

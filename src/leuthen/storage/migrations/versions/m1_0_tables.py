"""The tables of version 1.0."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1.0"
down_revision = None


def upgrade() -> None:
    """Create every table of an empty database."""
    op.create_table(
        "about",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("ruleset", sa.String(80), nullable=False),
        sa.Column("version", sa.String(80), nullable=False),
        sa.Column("data", sa.String(80), nullable=False),
        sa.Column("scenario", sa.String(80), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("helps", sa.Boolean, nullable=False),
        sa.Column("maker", sa.String(64), nullable=False, index=True),
        sa.Column("made", sa.String(40), nullable=False),
        sa.Column("date", sa.String(80), nullable=False),
        sa.Column("waiting", sa.Integer, nullable=False),
        sa.Column("since", sa.String(40), nullable=False),
        sa.Column("before", sa.String(40), nullable=False, index=True),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("has_ended", sa.Boolean, nullable=False),
        sa.Column("takebacks", sa.String(20), nullable=False),
    )
    op.create_table(
        "actions",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("actor", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
    )
    op.create_table(
        "chat",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "dice_keys",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("key", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "proof",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "proposals",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("side", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("to", sa.Integer, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.String(80), nullable=False),
        sa.Column("report", sa.Text, nullable=False),
    )
    op.create_table(
        "seals",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("signing", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), nullable=False, index=True),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("is_taken", sa.Boolean, nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("colour", sa.String(20), nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), primary_key=True),
        sa.Column("key", sa.String(80), primary_key=True),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("lock", sa.String(64), nullable=False, index=True),
        sa.Column("what", sa.String(80), nullable=False),
        sa.Column("since", sa.String(40), nullable=False),
        sa.Column("seen", sa.String(40), nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Column("ended", sa.String(40), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("colour", sa.String(20), nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("lock", sa.String(64), primary_key=True),
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), nullable=False, index=True),
        sa.Column("made", sa.String(40), nullable=False),
        sa.Column("used", sa.String(40), nullable=False),
    )
    op.create_table(
        "papers",
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), primary_key=True),
        sa.Column("papers", sa.Text, nullable=False),
    )
    op.create_table(
        "thoughts",
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("thought", sa.LargeBinary, nullable=False),
    )

"""The tables as they were before there were migrations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes the tables of an empty database. One that has them already is taken to stand here."""
    op.create_table("about", sa.Column("name", sa.String(40), primary_key=True), sa.Column("value", sa.Text))
    _games()
    _seats()
    _records()
    _papers()
    op.execute("INSERT INTO about (name, value) VALUES ('schema', '1')")


def _games() -> None:
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
        sa.Column("before", sa.String(40), nullable=False, index=True),
        sa.Column("date", sa.String(80), nullable=False),
        sa.Column("waiting", sa.Integer, nullable=False),
        sa.Column("since", sa.String(40), nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("has_ended", sa.Boolean, nullable=False),
    )


def _seats() -> None:
    op.create_table(
        "seats",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), nullable=False, index=True),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("lock", sa.String(64), nullable=False, unique=True),
        sa.Column("is_taken", sa.Boolean, nullable=False),
    )
    op.create_table(
        "keeps",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), primary_key=True, index=True),
    )


def _records() -> None:
    op.create_table(
        "actions",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("actor", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), primary_key=True),
        sa.Column("key", sa.String(80), primary_key=True),
        sa.Column("n", sa.Integer, nullable=False),
    )
    op.create_table(
        "proposals",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("side", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("to", sa.Integer, nullable=False),
    )


def _papers() -> None:
    op.create_table(
        "papers",
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), primary_key=True),
        sa.Column("papers", sa.Text, nullable=False),
    )
    op.create_table(
        "chat",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )

"""A seat belongs to the devices that sit on it; a link to it works once. Keys of requests are bound to what was asked.

Whoever sat on a seat still does. The link of a seat, kept until now, becomes one that works once more, unless somebody
who sits there comes back before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Makes the tables, and fills them from those that were there."""
    _make()
    op.execute(
        "INSERT INTO invitations (lock, seat, made, used)"
        " SELECT lock, id, '', '' FROM seats WHERE who IN ('person', 'watcher')"
    )
    op.execute(
        "INSERT INTO devices (seat, number, lock, what, since, seen, told, ended) SELECT seat, number, browser,"
        " 'a browser', '', '', last, '' FROM (SELECT seat, browser, row_number() OVER (PARTITION BY seat ORDER BY"
        " browser) AS number, count(*) OVER (PARTITION BY seat) AS last FROM keeps) AS kept"
    )
    op.drop_table("keeps")
    with op.batch_alter_table("seats", table_args=()) as seats:
        seats.drop_column("lock")
    op.add_column("answers", sa.Column("request", sa.String(64), nullable=False, server_default=""))


def _make() -> None:
    op.create_table(
        "invitations",
        sa.Column("lock", sa.String(64), primary_key=True),
        sa.Column("seat", sa.String(40), sa.ForeignKey("seats.id"), nullable=False, index=True),
        sa.Column("made", sa.String(40), nullable=False),
        sa.Column("used", sa.String(40), nullable=False),
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
    )

"""The tables of the database. A game is its actions; everything else that it is comes from playing them again.

Who changes a table writes the change down in `migrations` too, which alone makes and changes databases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)

from leuthen.storage import rows

metadata: Final = MetaData()


class JsonText(TypeDecorator[Mapping[str, str]]):
    """Options, as JSON."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Mapping[str, str] | None, dialect: object) -> str:
        """As it is kept."""
        return msgspec.json.encode(dict(value or {})).decode()

    def process_result_value(self, value: str | None, dialect: object) -> dict[str, str]:
        """As it is meant."""
        return msgspec.json.decode(value or "{}", type=dict[str, str])


about: Final = Table("about", metadata, Column("name", String(40), primary_key=True), Column("value", Text))
"""What the database is. `schema` is for programs older than the migrations: a number above 1 tells them to keep off."""

games: Final = Table(
    "games",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("ruleset", String(80), nullable=False),
    Column("version", String(80), nullable=False),
    Column("data", String(80), nullable=False),
    Column("scenario", String(80), nullable=False),
    Column("options", JsonText, nullable=False),
    Column("title", String(80), nullable=False),
    Column("helps", Boolean, nullable=False),
    Column("maker", String(64), nullable=False, index=True),
    Column("made", String(40), nullable=False),
    Column("before", String(40), nullable=False, default="", index=True),
    Column("date", String(80), nullable=False),
    Column("waiting", Integer, nullable=False),
    Column("since", String(40), nullable=False),
    Column("result", Text, nullable=False, default=""),
    Column("has_ended", Boolean, nullable=False, default=False),
    Column("takebacks", String(20), nullable=False, server_default="consent"),
)
"""Games. `maker` is the browser's hash; `before` the game of which this is the rematch. `date`, `waiting` (a bit for
each side that is asked), `since` and `result` are what everybody may know, kept for the list of games."""

dice_keys: Final = Table(
    "dice_keys",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("key", LargeBinary, nullable=False),
)
"""The secret of a game's dice, made once and told to nobody."""

seals: Final = Table(
    "seals",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("signing", LargeBinary, nullable=False),
)
"""Games whose dice and secrets can be checked: the secret key of the signature under their checkpoints. It is never
opened, unlike the key of the dice. Games that are older than this table have none."""

proof: Final = Table(
    "proof",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)
"""The lines of the proof of such a game, as its record has them at the end."""

seats: Final = Table(
    "seats",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("game", ForeignKey("games.id"), nullable=False, index=True),
    Column("side", Integer, nullable=False),
    Column("who", String(80), nullable=False),
    Column("is_taken", Boolean, nullable=False),
    Column("player", String(40), nullable=False, server_default=""),
    Column("colour", String(20), nullable=False, server_default=""),
)
"""Seats: side 0, 1, or 2 for the watchers' gallery. `player` and `colour` are what who sits there calls himself."""

invitations: Final = Table(
    "invitations",
    metadata,
    Column("lock", String(64), primary_key=True),
    Column("seat", ForeignKey("seats.id"), nullable=False, index=True),
    Column("made", String(40), nullable=False),
    Column("used", String(40), nullable=False, default=""),
)
"""Links to seats: `lock` is the hash of the secret, `used` when it was used up or made void. `made` is "" for links
that are older than this table."""

devices: Final = Table(
    "devices",
    metadata,
    Column("seat", ForeignKey("seats.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("lock", String(64), nullable=False, index=True),
    Column("what", String(80), nullable=False),
    Column("since", String(40), nullable=False),
    Column("seen", String(40), nullable=False),
    Column("told", Integer, nullable=False),
    Column("ended", String(40), nullable=False, default=""),
    Column("player", String(40), nullable=False, server_default=""),
    Column("colour", String(20), nullable=False, server_default=""),
)
"""What sits on a seat: browsers and programs, by the hash of their key. `told` is the highest number of a device that
this one has been shown; `ended` when it was signed out. Numbers are never given twice. `player` and `colour` are what
who watches calls himself."""

actions: Final = Table(
    "actions",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("actor", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", String(40), nullable=False),
)
"""The lines of the records."""

answers: Final = Table(
    "answers",
    metadata,
    Column("seat", ForeignKey("seats.id"), primary_key=True),
    Column("key", String(80), primary_key=True),
    Column("n", Integer, nullable=False),
    Column("request", String(64), nullable=False, default=""),
)
"""What a request with this key was answered, so that it counts once. `request` is the hash of what was asked; "" in
rows that are older than it."""

proposals: Final = Table(
    "proposals",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("side", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("to", Integer, nullable=False),
)
"""What a side offers or asks now; `to` is the number of an action."""

papers: Final = Table(
    "papers", metadata, Column("seat", ForeignKey("seats.id"), primary_key=True), Column("papers", Text, nullable=False)
)
"""A seat's private notes and plans."""

thoughts: Final = Table(
    "thoughts",
    metadata,
    Column("seat", ForeignKey("seats.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("thought", LargeBinary, nullable=False),
)
"""What the machine that leads a seat took along from its last decisions; `number` is the count of actions before."""

chat: Final = Table(
    "chat",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("side", Integer, nullable=False),
    Column("at", String(40), nullable=False),
    Column("text", Text, nullable=False),
)
"""What was said at a game."""

reports: Final = Table(
    "reports",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("version", String(80), nullable=False),
    Column("report", Text, nullable=False),
)
"""The staff's report on a game that has ended; one of another version is made anew."""

servers: Final = Table(
    "servers",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("address", String(255), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("until", DateTime(timezone=True), nullable=False),
)
"""The servers that share this database: where each is for the others, with what they show that they are its like, and
until when, by the database's clock, it counts as there. An id is never given twice: it is the token that every commit
of its server checks."""

leads: Final = Table(
    "leads",
    metadata,
    Column("game", String(40), primary_key=True),
    Column("server", String(40), nullable=False, index=True),
)
"""Which server leads a game. Where that server is no more, nobody does."""

jobs: Final = Table(
    "jobs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("server", ForeignKey("servers.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("game", String(40), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("task", LargeBinary, nullable=False),
    Column("patience", Float, nullable=False),
    Column("spent", Float, nullable=False),
    Column("made", DateTime(timezone=True), nullable=False),
    Column("holder", String(40), nullable=False),
    Column("outcome", LargeBinary),
)
"""What machines have to think for which the server that leads their game had no place. `task` is all that it takes
(the bytes of a view, a seed, the last thought), as secret as these; `spent` the seconds that the game thought lately;
`holder` the server that thinks it, or ""; `outcome` what came of it. A row goes when it is
answered, and with `server`."""

TABLES: Final[Mapping[type, Table]] = {
    rows.GameRow: games,
    rows.DiceKeyRow: dice_keys,
    rows.SealRow: seals,
    rows.ProofRow: proof,
    rows.SeatRow: seats,
    rows.InvitationRow: invitations,
    rows.DeviceRow: devices,
    rows.ActionRow: actions,
    rows.AnswerRow: answers,
    rows.ProposalRow: proposals,
    rows.NotesRow: papers,
    rows.ThoughtRow: thoughts,
    rows.ChatRow: chat,
    rows.ReportRow: reports,
}
"""Where the rows of each kind stand."""

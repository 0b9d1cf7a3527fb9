"""The tables of the database. A game is its actions; everything else that it is comes from playing them again.

What a row of a table has stands in `rows.py`. Who changes it writes the change down in `migrations` too, which alone
makes and changes databases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, get_origin, get_type_hints

import msgspec
from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.types import TypeEngine

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


_KINDS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "games": rows.GameRow,
    "dice_keys": rows.DiceKeyRow,
    "seals": rows.SealRow,
    "proof": rows.ProofRow,
    "seats": rows.SeatRow,
    "invitations": rows.InvitationRow,
    "devices": rows.DeviceRow,
    "actions": rows.ActionRow,
    "answers": rows.AnswerRow,
    "proposals": rows.ProposalRow,
    "papers": rows.NotesRow,
    "thoughts": rows.ThoughtRow,
    "chat": rows.ChatRow,
    "reports": rows.ReportRow,
}
_BESIDE: Final[dict[str, dict[str, Any]]] = {"actions": {"at": rows.Str40}, "answers": {"key": rows.Str80}}
"""Columns that no row has: when a line was written, and under which key a request came."""
_PARENTS: Final = {"game": "games.id", "seat": "seats.id"}
_INDEXES: Final = ("games.maker", "games.before", "seats.game", "invitations.seat", "devices.lock")
_TYPES: Final[Mapping[object, type[TypeEngine[Any]]]] = {
    bool: Boolean,
    bytes: LargeBinary,
    str: Text,
    Mapping[str, str]: JsonText,
}


def _table(name: str, kind: type[msgspec.Struct]) -> Table:
    keys, hints = rows.KEYS[kind], get_type_hints(kind, include_extras=True) | _BESIDE.get(name, {})
    return Table(
        name,
        metadata,
        *(
            Column(
                column,
                ForeignKey(_PARENTS[column]) if column in _PARENTS else _type(hints[column]),
                primary_key=column in keys,
                autoincrement=False,
                nullable=False,
                index=f"{name}.{column}" in _INDEXES,
            )
            for column in dict.fromkeys((*keys, *hints))
        ),
    )


def _type(hint: Any) -> TypeEngine[Any]:
    """The type of a column by that of a row's field; what is neither text, bytes nor yes and no is a number."""
    if get_origin(hint) is Annotated:
        return String(hint.__metadata__[0].max_length)
    return _TYPES.get(hint, Integer)()


TABLES: Final[Mapping[type, Table]] = {kind: _table(name, kind) for name, kind in _KINDS.items()}
"""Where the rows of each kind stand."""

# --- what is no row of a game -----------------------------------------------------------------------------------------

about: Final = Table("about", metadata, Column("name", String(40), primary_key=True), Column("value", Text))
"""Marks by which the store tells that its writes reach this database (`store.py`)."""

"""The tables of the database, made from the row types, and the verbs of `Rows` in SQL.

A game is stored as its actions; everything else comes from replaying them. A new database gets these tables at once; a
change of a row type needs a migration for existing databases (`migrate.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, Final, TypeVar, get_origin, get_type_hints

import msgspec
from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Select,
    String,
    Table,
    Text,
    TypeDecorator,
    delete,
    insert,
    select,
    update,
)
from sqlalchemy.types import TypeEngine

from leuthen.engine.codec import JSON
from leuthen.storage import rows
from leuthen.storage.faults import StorageBroken
from leuthen.storage.rows import Wanted

R = TypeVar("R", bound=msgspec.Struct)
metadata: Final = MetaData()


class JsonText(TypeDecorator[Mapping[str, str]]):
    """A mapping stored as JSON."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Mapping[str, str] | None, dialect: object) -> str:
        return msgspec.json.encode(dict(value or {})).decode()

    def process_result_value(self, value: str | None, dialect: object) -> dict[str, str]:
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
    "about": rows.MarkRow,
}
_BESIDE: Final[dict[str, dict[str, Any]]] = {"actions": {"at": rows.Str40}, "answers": {"key": rows.Str80}}
"""Columns that no row type has: when a line was written, and the key of a request."""
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
    """Return the column type for a field; other types than text, bytes and booleans are integers."""
    if get_origin(hint) is Annotated:
        return String(hint.__metadata__[0].max_length)
    return _TYPES.get(hint, Integer)()


TABLES: Final[Mapping[type, Table]] = {kind: _table(name, kind) for name, kind in _KINDS.items()}
"""The tables by row type."""


class SqlRows:
    """Rows of a database, in a connection's transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def find(self, kind: type[R], /, **where: Wanted) -> list[R]:
        table = TABLES[kind]
        with _readable():
            return [kind(*row) for row in self.connection.execute(_query(kind, where).order_by(*table.primary_key))]

    def last(self, kind: type[R], by: str, /, **where: Wanted) -> R | None:
        query = _query(kind, where).order_by(TABLES[kind].c[by].desc()).limit(1)
        with _readable():
            return next((kind(*row) for row in self.connection.execute(query)), None)

    def add(self, *rows: msgspec.Struct, **beside: object) -> None:
        if rows:
            table = TABLES[type(rows[0])]
            self.connection.execute(insert(table), [msgspec.structs.asdict(row) | beside for row in rows])

    def change(self, kind: type[msgspec.Struct], values: Mapping[str, object], /, **where: Wanted) -> None:
        table = TABLES[kind]
        self.connection.execute(update(table).where(*_where(table, where)).values(values))

    def remove(self, kind: type[msgspec.Struct], /, **where: Wanted) -> None:
        table = TABLES[kind]
        self.connection.execute(delete(table).where(*_where(table, where)))


@contextmanager
def _readable() -> Iterator[None]:
    """Raise StorageBroken for rows with malformed values."""
    try:
        yield
    except (ValueError, TypeError, UnicodeError, msgspec.MsgspecError) as error:
        raise StorageBroken("the database cannot be used: a row of it cannot be read") from error


def _query(kind: type[msgspec.Struct], where: Mapping[str, Wanted]) -> Select[*tuple[JSON, ...]]:
    table = TABLES[kind]
    return select(*(table.c[name] for name in kind.__struct_fields__)).where(*_where(table, where))


def _where(table: Table, where: Mapping[str, Wanted]) -> Iterator[ColumnElement[bool]]:
    for name, value in where.items():
        yield table.c[name] == value if isinstance(value, str | int) else table.c[name].in_(value)

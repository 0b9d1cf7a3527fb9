"""The tables of the database, made from the row types, their migration, and the verbs of `Rows` in SQL.

A game is stored as its actions; everything else comes from replaying them. A new database gets these tables at once; a
change of a row type needs a migration for existing databases.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, get_origin, get_type_hints

import msgspec
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Engine,
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
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.types import TypeEngine

from leuthen.engine.codec import JSON
from leuthen.engine.refusal import Invalid
from leuthen.storage import rows
from leuthen.storage.rows import AlreadyThere, StorageBroken, StorageError, Unfit, Wanted

R = TypeVar("R", bound=msgspec.Struct)
metadata: Final = MetaData()


class JsonText(TypeDecorator[Mapping[str, str]]):
    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Mapping[str, str] | None, dialect: object) -> str:
        return msgspec.json.encode(dict(value or {})).decode()

    def process_result_value(self, value: str | None, dialect: object) -> dict[str, str]:
        return msgspec.json.decode(value or "{}", type=dict[str, str])


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


def _table(kind: type[msgspec.Struct]) -> Table:
    name, *keys = rows.SCHEMA[kind]
    hints = get_type_hints(kind, include_extras=True) | _BESIDE.get(name, {})
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


TABLES: Final[Mapping[type, Table]] = {kind: _table(kind) for kind in rows.SCHEMA}
"""The tables by row type."""


class SqlRows:
    """Rows of a database, in a connection's transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def find(self, kind: type[R], /, **where: Wanted) -> list[R]:
        return self._read(kind, _query(kind, where).order_by(*TABLES[kind].primary_key))

    def last(self, kind: type[R], by: str, /, **where: Wanted) -> R | None:
        return next(iter(self._read(kind, _query(kind, where).order_by(TABLES[kind].c[by].desc()).limit(1))), None)

    def _read(self, kind: type[R], query: Select[*tuple[JSON, ...]]) -> list[R]:
        """Raise StorageBroken for rows with malformed values."""
        try:
            return [kind(*row) for row in self.connection.execute(query)]
        except (ValueError, TypeError, UnicodeError, msgspec.MsgspecError) as error:
            raise StorageBroken("the database cannot be used: a row of it cannot be read") from error

    def add(self, *rows: msgspec.Struct, **beside: object) -> None:
        if rows:
            table = TABLES[type(rows[0])]
            self.connection.execute(insert(table), [msgspec.structs.asdict(row) | beside for row in rows])

    def change(self, kind: type[msgspec.Struct], values: Mapping[str, object], /, **where: Wanted) -> None:
        self.connection.execute(update(TABLES[kind]).where(*_where(kind, where)).values(values))

    def remove(self, kind: type[msgspec.Struct], /, **where: Wanted) -> None:
        self.connection.execute(delete(TABLES[kind]).where(*_where(kind, where)))


def _query(kind: type[msgspec.Struct], where: Mapping[str, Wanted]) -> Select[*tuple[JSON, ...]]:
    columns = TABLES[kind].c
    return select(*(columns[name] for name in kind.__struct_fields__)).where(*_where(kind, where))


def _where(kind: type[msgspec.Struct], where: Mapping[str, Wanted]) -> Iterator[ColumnElement[bool]]:
    for name, value in where.items():
        column = TABLES[kind].c[name]
        yield column == value if isinstance(value, str | int) else column.in_(value)


# --- migration, in the connection's transaction; the kinds of databases ----------------------------------------------


FOLDER: Final = Path(__file__).parent / "migrations"


def newest() -> str:
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None
    return head


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a database, None if it is empty.

    Raise Invalid if it does not belong to Leuthen, or has tables of an unknown revision.
    """
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" not in tables:
        if tables:
            raise Invalid("is not a Leuthen database")
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    scripts = ScriptDirectory.from_config(_config())
    if found is not None and found not in [script.revision for script in scripts.walk_revisions()]:
        raise Invalid(
            f"was made by another version of Leuthen (tables {found}; this one knows {newest()}): use that version"
        )
    return found


def make_tables(connection: Connection) -> None:
    metadata.create_all(connection)
    command.stamp(_config(connection), "head")


def upgrade(connection: Connection) -> None:
    """Upgrade the tables of an older database. Raise Invalid, which names the reason; nothing has changed then."""
    try:
        command.upgrade(_config(connection), "head")
        is_sqlite = connection.dialect.name == "sqlite"
        if is_sqlite and connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
            raise Invalid("rows refer to nothing")
    except Exception as error:
        reason = driver_words(error) if isinstance(error, DBAPIError) else f"{type(error).__name__}: {error}"
        raise Invalid(f"its tables could not be migrated; nothing was changed: {reason}") from error


def driver_words(error: DBAPIError) -> str:
    """Return the first line of the driver's message. It contains no value."""
    return str(error.orig).strip().partition("\n")[0]


class Database(ABC):
    """A kind of database: its lock, tables, connections, and errors."""

    folder: Path | None = None
    """Its folder, None if it is on another machine."""
    beat: float | None = None
    """Seconds without a write after which the lock is checked; None if it cannot be lost."""

    @abstractmethod
    def hold(self, address: str) -> None:
        """Take the lock of the games for the server at `address`.

        Raise GamesTaken while another server has it, Unreachable, or Invalid.
        """

    @abstractmethod
    def release(self) -> None: ...

    @abstractmethod
    def prepare(self) -> None:
        """Create or migrate the tables. Raise Invalid, which names the place and the remedy."""

    @abstractmethod
    def open(self, *, to_write: bool) -> Engine:
        """Return an engine with one transaction per connection; a commit is safe when it returns.

        Writing connections require the lock, and raise LockLost without it.
        """

    @abstractmethod
    def fault_of(self, error: DBAPIError) -> StorageError:
        """Return the meaning of an error that is no matter of one row's key or values."""

    @abstractmethod
    def expect(self, *, is_after: bool = False) -> None:
        """Raise StorageGone before a transaction if its writes would be lost, or after it if they are."""

    def translate(self, error: DBAPIError) -> StorageError:
        if isinstance(error, IntegrityError):
            return AlreadyThere("there is such a row already")
        return Unfit("the database cannot hold such a value") if isinstance(error, DataError) else self.fault_of(error)


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config

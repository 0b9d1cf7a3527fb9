"""PostgreSQL: opening and migrating its databases, and the meaning of its errors."""

import logging
from collections.abc import Mapping
from socket import gethostname
from typing import Final

from sqlalchemy import URL, Connection, Engine, create_engine, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from leuthen.engine.refusal import Invalid
from leuthen.storage import rows
from leuthen.storage.tables import Database, driver_words, make_tables, newest, revision_of, upgrade

LOCK_SECONDS: Final = 5
"""Seconds that a write waits for another program's lock."""
IDLE_SECONDS: Final = 5
"""Seconds after which the database ends an idle reading transaction."""
BEAT: Final = 1.0
ALIVE: Final = {"keepalives_idle": 3, "keepalives_interval": 1, "keepalives_count": 3, "tcp_user_timeout": 6000}
"""Both ends detect within about six seconds that the other machine has lost its power or connection."""
LOCK: Final = 0x1E07E
"""The advisory lock of a database's games. It belongs to a session and ends with it."""
_HOLDER: Final = (
    "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND granted"
    f" AND objid = {LOCK} AND classid = 0 AND pg_locks.database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_log = logging.getLogger(__name__)


class Postgres(Database):
    """A PostgreSQL database.

    All writes use the one connection that holds the lock: if it breaks, the lock is free for another server, and this
    one can commit nothing more.
    """

    beat = BEAT

    def __init__(self, address: str) -> None:
        """Raise Invalid for a malformed address, or if the driver is not installed."""
        self._url = _url(address)
        dialect = self._url.get_dialect()
        self._driver = dialect.import_dbapi()
        self._dialect = dialect()
        self.name = self._url.render_as_string(hide_password=True)
        """The address without the password."""
        self._waiting: DBAPIConnection | None = None
        """An idle connection for the next attempt to take the lock."""
        self._held: DBAPIConnection | None = None
        """The connection that holds the lock, until the writer takes it."""
        self._writing = create_engine(
            self._url, creator=self._open_locked, hide_parameters=True, pool_size=1, max_overflow=0
        )

    def hold(self, address: str) -> None:
        raw, self._waiting = self._waiting, None
        try:
            if raw is None:  # the server may be suspended during a transaction and continues afterwards
                options = {"lock_timeout": f"{LOCK_SECONDS}s", "idle_in_transaction_session_timeout": 0}
                words, params = self._dialect.create_connect_args(self._url)
                settings = _settings(f"leuthen {address} on {gethostname()}", options)
                raw = self._driver.connect(*words, **{**params, **settings})
            cursor = raw.cursor()
            cursor.execute(f"SELECT pg_try_advisory_lock({LOCK})")
            (is_held,) = cursor.fetchone() or (False,)
            if not is_held:
                cursor.execute(_HOLDER)
                (holder,) = cursor.fetchone() or ("",)
            raw.rollback()
        except self._driver.Error as error:
            if raw is not None:
                raw.close()
            (reason, *_) = str(error).strip().splitlines() or [""]
            raise rows.Unreachable(f"{self.name}: the database cannot be reached: {reason}") from error
        if is_held:
            self._held = raw
            return
        self._waiting = raw
        there, _, host = holder.removeprefix("leuthen").strip().partition(" on ")
        raise rows.GamesTaken(self.name, there, host)

    def release(self) -> None:
        self._writing.dispose()
        for raw in (self._held, self._waiting):
            if raw is not None:
                raw.close()
        self._held = self._waiting = None

    def prepare(self) -> None:
        try:
            with self._writing.begin() as connection:
                connection.execute(text(f"SET LOCAL lock_timeout = '{60}s'"))
                self._migrate(connection)
        except DBAPIError as error:
            raise Invalid(f"{self.name}: {self.translate(error)}: {driver_words(error)}") from error
        except Invalid as error:
            raise Invalid(f"{self.name}: {error}") from error

    def _migrate(self, connection: Connection) -> None:
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise Invalid(f"its encoding is {encoding}; create one with CREATE DATABASE … ENCODING 'UTF8'")
        if connection.execute(text("SHOW synchronous_commit")).scalar_one() == "off":
            raise Invalid("synchronous_commit is off, so accepted orders could be lost; switch it on")
        found = revision_of(connection)
        if found is None:
            make_tables(connection)
        elif found != newest():
            upgrade(connection)
            _log.info("the database was migrated from %s to %s", found, newest())

    def open(self, *, to_write: bool) -> Engine:
        """Return an engine: for writing, the one connection with the lock; for reading, connections with snapshot
        isolation."""
        if to_write:
            return self._writing
        options = {"idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s"}
        return create_engine(
            self._url,
            connect_args=_settings("leuthen reads", options),
            hide_parameters=True,
            pool_size=4,
            isolation_level="REPEATABLE READ",
        )

    def _open_locked(self) -> DBAPIConnection:
        """Give the writer the connection with the lock, once. Raise LockLost afterwards."""
        raw, self._held = self._held, None
        if raw is None:
            raise rows.LockLost("the connection with the lock was cut")
        return raw

    def expect(self, *, is_after: bool = False) -> None: ...

    def fault_of(self, error: DBAPIError) -> rows.StorageError:
        code = getattr(error.orig, "sqlstate", None) or ""
        if code == "53100":
            return rows.StorageFull("the disk is full")
        if code in ("40001", "40P01", "55P03", "57014"):
            return rows.StorageBusy("another program holds the database")
        if error.connection_invalidated or code[:2] in ("", "08", "57", "53") or code in ("25P03", "25006"):
            return rows.StorageAway("the database cannot be reached")
        return rows.StorageBroken(f"the database cannot be used: {type(error.orig).__name__} {code}".rstrip())


def _settings(name: str, options: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a connection: UTF-8 even for databases without an encoding, and equal timeouts on both
    ends."""
    alive = {f"tcp_{name.removeprefix('tcp_')}": value for name, value in ALIVE.items()}
    said = " ".join(f"-c {key}={value}" for key, value in {**options, **alive}.items())
    known = {"application_name": name, "client_encoding": "utf8", "connect_timeout": 5}
    return {**known, "options": said, **ALIVE}


def _url(address: str) -> URL:
    if not address.startswith(("postgresql://", "postgres://", "postgresql+psycopg://")):
        raise Invalid("--database must be like postgresql://user@host/name")
    try:
        url = make_url(address).set(drivername="postgresql+psycopg")
        url.get_dialect().import_dbapi()
    except (ArgumentError, ValueError) as error:
        raise Invalid("--database must be like postgresql://user@host/name") from error
    except (ImportError, NoSuchModuleError) as error:
        raise Invalid("PostgreSQL needs its driver: pip install 'leuthen[postgres]'") from error
    return url

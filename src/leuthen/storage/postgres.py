"""The one place that knows PostgreSQL: how its database is opened and brought up to date, and what its errors mean."""

from __future__ import annotations

import logging
import secrets
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, Engine, create_engine, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, NoSuchModuleError

from leuthen.engine.refusal import Invalid
from leuthen.storage.faults import (
    AlreadyThere,
    StorageAway,
    StorageBroken,
    StorageBusy,
    StorageError,
    StorageFull,
    Unfit,
)
from leuthen.storage.migrate import expect_known, newest, revision_of, upgrade

CONNECT_SECONDS: Final = 5
LOCK_SECONDS: Final = 5
"""How long a write waits for somebody else who holds what it needs."""
IDLE_SECONDS: Final = 5
"""After which the database ends a transaction whose program does nothing, and so holds up no other."""
_MIGRATING: Final = 0x1E07E
"""The database's lock for who changes its tables."""
OPTIONS: Final = f"-c lock_timeout={LOCK_SECONDS}s -c idle_in_transaction_session_timeout={IDLE_SECONDS}s"
MIGRATING: Final = "-c lock_timeout=60s -c idle_in_transaction_session_timeout=60s"
"""While tables are made or changed: a slow machine reads the steps meanwhile, and other servers wait for it."""
_log = logging.getLogger(__name__)


class Postgres:
    """A database of PostgreSQL, by its address."""

    folder: Path | None = None

    def __init__(self, address: str) -> None:
        """Raises Invalid if the address is none, or if the driver is not installed."""
        self._url = _url(address)
        self.mark = f"checked {secrets.token_hex(8)}"
        self.name = self._url.render_as_string(hide_password=True)
        """Its address without the password."""

    def prepare(self) -> None:
        """Makes the tables of an empty database, or brings those of an older one up to date. Raises Invalid."""
        engine = self._engine(MIGRATING)
        try:
            with engine.begin() as connection:
                self._migrate(connection)
        except DBAPIError as error:
            raise Invalid(f"{self.name}: {self.translate(error)}: {reason(error)}") from error
        finally:
            engine.dispose()

    def _migrate(self, connection: Connection) -> None:
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
        self._expect_fit(connection)
        try:
            found = revision_of(connection)
            expect_known(found)
            if found not in (None, newest()):
                _expect_unused(connection)
        except Invalid as error:
            raise Invalid(f"{self.name}: {error}") from error
        try:
            upgrade(connection)
        except Exception as error:
            why = reason(error) if isinstance(error, DBAPIError) else f"{type(error).__name__}: {error}"
            told = f"its tables cannot be brought up to date, and nothing was changed: {why}"
            raise Invalid(f"{self.name}: {told}") from error
        if found not in (None, newest()):
            _log.info("the tables of the database were brought from %s to %s", found, newest())

    def _expect_fit(self, connection: Connection) -> None:
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise Invalid(f"{self.name}: its encoding is {encoding}; make one with CREATE DATABASE … ENCODING 'UTF8'")
        if connection.execute(text("SHOW synchronous_commit")).scalar_one() == "off":
            detail = "synchronous_commit is off, so that it could lose what it has accepted; switch it on"
            raise Invalid(f"{self.name}: {detail}")

    def open(self, *, to_write: bool) -> Engine:
        """Its connections. Who reads sees one instant; who writes looks first whether the database is there."""
        how = {"pool_pre_ping": True} if to_write else {"isolation_level": "REPEATABLE READ"}
        return self._engine(OPTIONS, **how)

    def _engine(self, options: str, **how: object) -> Engine:
        connect = {"connect_timeout": CONNECT_SECONDS, "options": options, "application_name": "leuthen"}
        connect |= {"client_encoding": "utf8"}  # of a database without an encoding all texts would come as bytes
        return create_engine(self._url, connect_args=connect, hide_parameters=True, pool_size=4, **how)

    def expect(self) -> None:
        """Nothing: a database that is not there says so itself."""

    def expect_kept(self) -> None:
        """Nothing: what the database says is kept is kept."""

    def is_fatal(self, error: BaseException) -> bool:
        """Whether nothing else can be written in this transaction either."""
        return isinstance(error, DBAPIError) and not isinstance(error, IntegrityError | DataError)

    def translate(self, error: DBAPIError) -> StorageError:
        """The fault that an error of the driver means."""
        if isinstance(error, IntegrityError):
            return AlreadyThere("there is such a row already")
        if isinstance(error, DataError):
            return Unfit("the database cannot hold such a value")
        return _fault(error)


def is_address(word: str) -> bool:
    """Whether a word is meant as the address of such a database."""
    return word.startswith(("postgresql://", "postgres://", "postgresql+psycopg://"))


def reason(error: DBAPIError) -> str:
    """The first line of the driver's words. They name no value."""
    return str(error.orig).strip().partition("\n")[0]


def _url(address: str) -> URL:
    if not is_address(address):
        raise Invalid("--database must be like postgresql://user@host/name")
    try:
        url = make_url(address).set(drivername="postgresql+psycopg")
        url.get_dialect().import_dbapi()
    except (ArgumentError, ValueError) as error:
        raise Invalid("--database must be like postgresql://user@host/name") from error
    except (ImportError, NoSuchModuleError) as error:
        raise Invalid("PostgreSQL needs its driver: pip install 'leuthen[postgres]'") from error
    return url


def _expect_unused(connection: Connection) -> None:
    """Raises Invalid while servers of an older program use the tables."""
    if inspect(connection).has_table("servers"):
        query = "SELECT count(*) FROM servers WHERE until > clock_timestamp()"
        if number := connection.execute(text(query)).scalar_one():
            raise Invalid(f"must be brought up to date; end the servers of the older program first ({number} run)")


def _fault(error: DBAPIError) -> StorageError:
    code = getattr(error.orig, "sqlstate", None) or ""
    if code == "53100":
        return StorageFull("the disk is full")
    if code in ("40001", "40P01", "55P03", "57014"):
        return StorageBusy("another program holds the database")
    if error.connection_invalidated or code[:2] in ("", "08", "57", "53") or code in ("25P03", "25006"):
        return StorageAway("the database cannot be reached")
    return StorageBroken(f"the database cannot be used: {type(error.orig).__name__} {code}".rstrip())

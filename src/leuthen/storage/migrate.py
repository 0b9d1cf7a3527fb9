"""Brings a database's tables up to those that this program knows: when it starts, in one transaction, after a copy."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from leuthen.engine.refusal import Invalid
from leuthen.storage.faults import StorageError
from leuthen.storage.sqlite import FILE, copy_database, free_name, open_engine, open_to_look, translate

FOLDER: Final = Path(__file__).parent / "migrations"
BACKUPS: Final = "backups"
_log = logging.getLogger(__name__)


def migrate(folder: Path) -> None:
    """Makes the tables of a new database, or brings those of an older one up to date.

    An older one is copied first. Either all is changed or nothing is, even if the program is killed meanwhile. Raises
    Invalid, which names what to do, OSError and DBAPIError.
    """
    engine = open_engine(folder, to_write=True, checks_keys=False)
    try:
        with engine.begin() as connection:
            found = revision_of(connection)
            expect_known(found)
            connection.exec_driver_sql("PRAGMA user_version = 0")  # of a copy: it is served, and its rows will change
            if found in (None, newest()):
                upgrade(connection)
            else:
                _upgrade_older(folder, connection, str(found))
    finally:
        engine.dispose()


def newest() -> str:
    """The revision of the tables that this program knows."""
    head = _scripts().get_current_head()
    assert head is not None
    return head


def revision_of(connection: Connection) -> str | None:
    """The revision at which a database stands; None if it is empty. Raises Invalid if it is none of Leuthen."""
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" in tables:
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    if tables:
        raise Invalid("is a database, but none of Leuthen")
    return None


def expect_known(revision: str | None) -> None:
    """Raises Invalid for a revision that another program has made: a newer one, or one from before version 1.0."""
    known = [script.revision for script in _scripts().walk_revisions()]
    if revision is not None and revision not in known:
        raise Invalid(f"was made by another Leuthen (tables {revision}; this one knows {newest()}): use that one")


def expect_ours(path: Path) -> str:
    """The revision of a database that is only looked at. Raises Invalid, DBAPIError."""
    engine = open_to_look(path)
    with engine.connect() as connection:
        found = revision_of(connection)
    if found is None:
        raise Invalid("is an empty database")
    expect_known(found)
    return found


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


def upgrade(connection: Connection) -> None:
    """Brings the tables to the newest revision, in the connection's transaction. Raises Invalid, DBAPIError."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite" and connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
        raise Invalid("rows refer to nothing")


def _upgrade_older(folder: Path, connection: Connection, found: str) -> None:
    copy = _copy(folder, found)
    try:
        upgrade(connection)
    except Exception as error:
        copy.unlink()
        reason = str(translate(error)) if isinstance(error, DBAPIError) else f"{type(error).__name__}: {error}"
        raise Invalid(f"its tables cannot be brought up to date, and nothing was changed: {reason}") from error
    _log.info("the tables of the database were brought from %s to %s; as it was before: %s", found, newest(), copy)


def _copy(folder: Path, found: str) -> Path:
    """A copy of the database as it is, in a file that is not there yet. Raises Invalid."""
    backups = folder / BACKUPS
    try:
        backups.mkdir(mode=0o700, exist_ok=True)
        copy = free_name(backups, f"before-{newest()}")
        copy_database(folder / FILE, copy)
    except (OSError, StorageError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Invalid(
            f"must be brought up from tables {found} to {newest()}; nothing was changed, because the copy that is made"
            f" before cannot be written in {backups}: {reason}"
        ) from error
    return copy

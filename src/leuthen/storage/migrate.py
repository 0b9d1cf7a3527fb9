"""Migration of a database's tables to the revision that this program knows, in the connection's transaction."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from leuthen.engine.refusal import Invalid
from leuthen.storage.tables import metadata

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


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config

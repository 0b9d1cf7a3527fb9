import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from leuthen.engine.refusal import Invalid
from leuthen.storage import migrate, sqlite
from leuthen.storage.store import Store
from leuthen.storage.tables import metadata

GAME = (Path(__file__).parent / "game.sql").read_text(encoding="utf-8")
TABLES_1_0 = (Path(__file__).parent / "tables-1.0.sql").read_text(encoding="utf-8")
STEP = """
from alembic import op
import os, signal
revision, down_revision = "9999", {before!r}
def upgrade():
    op.execute("CREATE TABLE extra (id INTEGER PRIMARY KEY)")
    with op.batch_alter_table("games") as games:
        games.drop_column("title")
    {then}
"""


def put_game(folder: Path) -> Path:
    Store(folder).close()
    return put(folder, GAME)


def put(folder: Path, script: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / sqlite.FILE)) as raw:
        raw.executescript(script)
    return folder


def ask(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as raw:
        return raw.execute(query).fetchall()


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as raw:
        return list(raw.iterdump())


def add_step(changes: Path, then: str = "pass") -> None:
    text = STEP.format(before=migrate.newest(), then=then)
    (changes / "versions" / "m9999_test.py").write_text(text, encoding="utf-8")


def test_the_migrations_make_of_the_tables_of_version_1_0_those_that_the_program_knows(tmp_path: Path) -> None:
    Store(put(tmp_path, TABLES_1_0)).close()
    assert differences(tmp_path) == []


def test_a_new_database_has_the_tables_that_the_program_knows(tmp_path: Path) -> None:
    Store(tmp_path).close()
    assert differences(tmp_path) == []


def differences(folder: Path) -> list[object]:
    engine = sqlite.open_engine(folder, to_write=False)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, metadata)
    engine.dispose()
    return list(found)


def test_a_table_that_no_migration_makes_would_be_found(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / sqlite.FILE)) as raw:
        raw.execute("DROP INDEX ix_games_maker")
    assert len(differences(tmp_path)) == 1


def test_a_new_database_needs_no_copy(tmp_path: Path) -> None:
    Store(tmp_path).close()
    Store(tmp_path).close()
    assert not (tmp_path / sqlite.BACKUPS).exists()


def test_an_older_one_is_copied_before(tmp_path: Path, changes: Path) -> None:
    before = dump(put_game(tmp_path) / sqlite.FILE)
    add_step(changes)
    Store(tmp_path).close()
    (copy,) = (tmp_path / sqlite.BACKUPS).iterdir()
    assert dump(copy) == before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert "title" not in str(ask(tmp_path / sqlite.FILE, "SELECT sql FROM sqlite_master WHERE name = 'games'"))
    assert len(ask(tmp_path / sqlite.FILE, "SELECT * FROM seats")) == 3, "which refer to the table that was made anew"


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, changes: Path) -> None:
    before = dump(put_game(tmp_path) / sqlite.FILE)
    add_step(changes, "op.execute('INSERT INTO extra VALUES (1), (1)')")
    with pytest.raises(Invalid, match=r"leuthen\.db: its tables cannot be brought up to date, and nothing was changed"):
        Store(tmp_path)
    assert dump(tmp_path / sqlite.FILE) == before
    assert list((tmp_path / sqlite.BACKUPS).iterdir()) == []


def test_a_migration_that_breaks_a_reference_changes_nothing(tmp_path: Path, changes: Path) -> None:
    before = dump(put_game(tmp_path) / sqlite.FILE)
    add_step(changes, "op.execute('DELETE FROM games')")
    with pytest.raises(Invalid, match="rows refer to nothing"):
        Store(tmp_path)
    assert dump(tmp_path / sqlite.FILE) == before


def test_a_program_that_is_killed_in_a_migration_changes_nothing(tmp_path: Path, changes: Path) -> None:
    folder = put_game(tmp_path / "data")
    add_step(changes, "os.kill(os.getpid(), signal.SIGKILL)")
    before = dump(folder / sqlite.FILE)
    code = f"""
from pathlib import Path
from leuthen.storage import migrate, sqlite
migrate.FOLDER = Path({str(changes)!r})
sqlite.Sqlite(Path({str(folder)!r})).prepare()
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
    assert dump(folder / sqlite.FILE) == before
    (changes / "versions" / "m9999_test.py").unlink()
    Store(folder).close()
    assert ask(folder / sqlite.FILE, "SELECT count(*) FROM actions") == [(7,)]


def test_without_room_for_the_copy_nothing_is_changed(
    tmp_path: Path, changes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(put_game(tmp_path) / sqlite.FILE)
    add_step(changes)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sqlite, "copy_database", full)
    with pytest.raises(
        Invalid, match=r"nothing was changed, because the copy .* cannot be written in .*: No space left"
    ):
        Store(tmp_path)
    assert dump(tmp_path / sqlite.FILE) == before


def test_a_database_of_a_newer_program_is_refused(tmp_path: Path, changes: Path) -> None:
    add_step(changes)
    Store(tmp_path).close()
    before = dump(tmp_path / sqlite.FILE)
    (changes / "versions" / "m9999_test.py").unlink()
    known = migrate.newest()
    with pytest.raises(
        Invalid, match=rf"leuthen\.db: was made by another Leuthen \(tables 9999; this one knows {known}"
    ):
        Store(tmp_path)
    assert dump(tmp_path / sqlite.FILE) == before


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
    with pytest.raises(Invalid, match=r"leuthen\.db: is a database, but none of Leuthen"):
        Store(tmp_path)
    assert dump(tmp_path / sqlite.FILE)[1:-1] == [
        "CREATE TABLE recipes (name TEXT);",
        "INSERT INTO \"recipes\" VALUES('soup');",
    ]

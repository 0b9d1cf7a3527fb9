import asyncio
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from stat import S_IMODE
from typing import NamedTuple

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine

from leuthen.engine.refusal import Invalid
from leuthen.storage import sqlite, tables
from leuthen.storage.postgres import Postgres
from leuthen.storage.rows import MarkRow, Rows, StorageGone, first
from leuthen.storage.store import CHECKED, Store
from leuthen.storage.tables import metadata
from tools.postgres import TempPostgres

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
    return run_script(folder, GAME)


def run_script(folder: Path, script: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / sqlite.FILE)) as raw:
        raw.executescript(script)
    return folder


def query(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as raw:
        return raw.execute(query).fetchall()


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as raw:
        return list(raw.iterdump())


def add_step(changes: Path, then: str = "pass") -> None:
    text = STEP.format(before=tables.newest(), then=then)
    (changes / "versions" / "m9999_test.py").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("script", ["", TABLES_1_0])
def test_new_and_old_databases_have_the_current_tables(tmp_path: Path, script: str) -> None:
    for _ in range(2):
        Store(run_script(tmp_path, script) if script else tmp_path).close()
        assert differences(sqlite.open_engine(tmp_path, to_write=False)) == []
        assert script or not (tmp_path / sqlite.BACKUPS).exists(), "a new one is not backed up"
        script = ""


def differences(engine: Engine) -> list[object]:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, metadata)
    engine.dispose()
    return list(found)


def test_a_database_is_backed_up_before_a_migration(tmp_path: Path, changes: Path) -> None:
    before = dump(put_game(tmp_path) / sqlite.FILE)
    add_step(changes)
    Store(tmp_path).close()
    (copy,) = (tmp_path / sqlite.BACKUPS).iterdir()
    assert dump(copy) == before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert "title" not in str(query(tmp_path / sqlite.FILE, "SELECT sql FROM sqlite_master WHERE name = 'games'"))
    assert len(query(tmp_path / sqlite.FILE, "SELECT * FROM seats")) == 3, "which refer to the table that was made anew"


class Games(NamedTuple):
    place: Callable[[], Path | Postgres]
    dump: Callable[[], Sequence[str]]
    code: str


@pytest.fixture(params=["folder", "database"])
def games(request: pytest.FixtureRequest, tmp_path: Path) -> Games:
    if request.param == "folder":
        folder = put_game(tmp_path / "data")
        return Games(lambda: folder, lambda: dump(folder / sqlite.FILE), f"Path({str(folder)!r})")
    server: TempPostgres = request.getfixturevalue("postgres")
    address: str = request.getfixturevalue("address")
    return Games(lambda: Postgres(address), lambda: server.dump(server.name_of(address)), f"Postgres({address!r})")


def test_a_failed_migration_changes_nothing(games: Games, changes: Path) -> None:
    before = games.dump()
    add_step(changes, "op.execute('INSERT INTO extra VALUES (1), (1)')")
    with pytest.raises(Invalid, match="tables could not be migrated; nothing was changed"):
        Store(games.place())
    assert games.dump() == before


def test_a_killed_migration_changes_nothing(games: Games, changes: Path) -> None:
    add_step(changes, "os.kill(os.getpid(), signal.SIGKILL)")
    before = games.dump()
    code = f"""
from pathlib import Path
from leuthen.storage import tables
from leuthen.storage.postgres import Postgres
from leuthen.storage.store import Store
tables.FOLDER = Path({str(changes)!r})
Store({games.code})
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
    assert games.dump() == before
    (changes / "versions" / "m9999_test.py").unlink()
    Store(games.place()).close()


def test_a_database_of_a_newer_program_is_refused(games: Games, changes: Path) -> None:
    add_step(changes)
    Store(games.place()).close()
    before = games.dump()
    (changes / "versions" / "m9999_test.py").unlink()
    known = tables.newest()
    with pytest.raises(Invalid, match=rf"was made by another version of Leuthen \(tables 9999; this one knows {known}"):
        Store(games.place())
    assert games.dump() == before


def test_a_migration_that_breaks_a_reference_changes_nothing(tmp_path: Path, changes: Path) -> None:
    before = dump(put_game(tmp_path) / sqlite.FILE)
    add_step(changes, "op.execute('DELETE FROM games')")
    with pytest.raises(Invalid, match="rows refer to nothing"):
        Store(tmp_path)
    assert dump(tmp_path / sqlite.FILE) == before
    assert list((tmp_path / sqlite.BACKUPS).iterdir()) == []


def test_a_full_disk_before_a_migration_changes_nothing(
    tmp_path: Path, changes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(put_game(tmp_path) / sqlite.FILE)
    add_step(changes)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sqlite, "copy_database", full)
    with pytest.raises(
        Invalid, match=r"nothing was changed, because its backup cannot be written to .*: No space left"
    ):
        Store(tmp_path)
    assert dump(tmp_path / sqlite.FILE) == before


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    run_script(tmp_path, "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
    with pytest.raises(Invalid, match=r"leuthen\.db: is not a Leuthen database"):
        Store(tmp_path)
    assert dump(tmp_path / sqlite.FILE)[1:-1] == [
        "CREATE TABLE recipes (name TEXT);",
        "INSERT INTO \"recipes\" VALUES('soup');",
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    store = Store(folder)
    yield store
    store.close()


def modes(folder: Path) -> dict[str, int]:
    return {path.name: S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}


def write(store: Store, mark: str) -> None:
    def put(rows: Rows) -> None:
        rows.remove(MarkRow, name=CHECKED)
        rows.add(MarkRow(CHECKED, mark))

    asyncio.run(store.write(put))


def find_mark(store: Store) -> MarkRow | None:
    return asyncio.run(store.read(lambda rows: first(rows, MarkRow, name=CHECKED)))


def test_a_game_folder_is_private(store: Store, folder: Path) -> None:
    write(store, "a")
    assert set(modes(folder)) == {"games", "leuthen.db", "leuthen.db-wal", "leuthen.db-shm", "served", "served.lock"}
    assert {mode & 0o077 for mode in modes(folder).values()} == {0}


def test_an_open_game_folder_is_made_private(folder: Path) -> None:
    Store(folder).close()
    folder.chmod(0o755)
    (folder / sqlite.FILE).chmod(0o644)
    (folder / f"{sqlite.FILE}.before").touch(0o644)
    Store(folder).close()
    assert {mode & 0o077 for mode in modes(folder).values()} == {0}, "copies too"


def test_a_folder_with_other_files_keeps_its_mode(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "letter").touch()
    Store(folder).close()
    assert modes(folder)["games"] == 0o755
    assert modes(folder)[sqlite.FILE] == 0o600


def test_a_write_to_a_deleted_folder_is_not_acknowledged(store: Store, folder: Path) -> None:
    write(store, "a")
    shutil.rmtree(folder)
    for _ in range(2):
        with pytest.raises(StorageGone):
            write(store, "b")
    with pytest.raises(StorageGone):
        asyncio.run(store.check("c"))


def test_a_write_to_a_file_deleted_meanwhile_is_not_acknowledged(store: Store, folder: Path) -> None:

    def lose(rows: Rows) -> None:
        rows.add(MarkRow(CHECKED, "b"))
        shutil.rmtree(folder)

    with pytest.raises(StorageGone):
        asyncio.run(store.write(lose))


def test_a_write_without_the_log_file_is_not_acknowledged(store: Store, folder: Path) -> None:
    write(store, "a")
    (folder / f"{sqlite.FILE}-wal").unlink()
    with pytest.raises(StorageGone):
        write(store, "b")


def test_a_replaced_database_is_not_written(store: Store, folder: Path) -> None:
    write(store, "a")
    shutil.rmtree(folder)
    other = Store(folder)
    with pytest.raises(StorageGone):
        write(store, "b")
    assert find_mark(other) is None
    other.close()


def test_a_folder_moved_back_can_be_written(store: Store, folder: Path) -> None:
    write(store, "a")
    away = folder.rename(folder.with_name("away"))
    with pytest.raises(StorageGone):
        write(store, "b")
    away.rename(folder)
    write(store, "c")
    assert find_mark(store) == MarkRow(CHECKED, "c")


def test_a_check_writes_and_reads(store: Store) -> None:
    assert asyncio.run(store.check("a"))
    assert asyncio.run(store.check("b"))
    assert asyncio.run(store.read(lambda rows: rows.find(MarkRow))) == [MarkRow(CHECKED, "b")]

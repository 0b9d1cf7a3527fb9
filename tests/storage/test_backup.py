import asyncio
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import pytest

from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.storage import sqlite, tables
from leuthen.storage.rows import GamesTaken, MarkRow, Rows
from leuthen.storage.sqlite import FolderLock, back_up, restore
from leuthen.storage.store import Store, Work
from tests.storage.test_migrate import add_step, dump, put_game, query, run_script

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
COUNT_PAIRS = "SELECT count(*) FROM about WHERE name LIKE 'pair %'"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return put_game(tmp_path / "data")


def write_pair(number: int) -> Work[None]:

    def write(rows: Rows) -> None:
        rows.add(*(MarkRow(f"pair {number} {half}", "x" * 500) for half in ("a", "b")))

    return write


@pytest.fixture
def writing(folder: Path) -> Iterator[Event]:
    store, stop, begun = Store(folder), Event(), Event()

    async def write() -> None:
        number = 0
        while not stop.is_set():
            await store.write(write_pair(number := number + 1))
            if number == 3:
                begun.set()

    thread = Thread(target=lambda: asyncio.run(write()))
    thread.start()
    yield begun
    stop.set()
    thread.join()
    store.close()


def test_a_backup_is_one_complete_private_file(folder: Path) -> None:
    copy = back_up(folder, at=NOW)
    assert copy == folder / "backups" / "games-20260102-030405.db"
    assert dump(copy) == dump(folder / sqlite.FILE)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert list(copy.parent.iterdir()) == [copy]
    assert back_up(folder, at=NOW).name == "games-20260102-030405-2.db"


def test_a_backup_during_writes_contains_whole_commits(folder: Path, writing: Event) -> None:
    assert writing.wait(30)
    counts = []
    for number in range(8):
        copy = back_up(folder, folder / f"copy-{number}.db")
        sqlite.check_integrity(copy)
        counts.append(int(str(query(copy, COUNT_PAIRS)[0][0])))
    assert all(count % 2 == 0 and count >= 6 for count in counts)
    assert counts == sorted(counts)
    assert counts[0] < counts[-1], "they were written meanwhile"


def test_a_restored_database_equals_the_backup(folder: Path) -> None:
    before, copy = dump(folder / sqlite.FILE), back_up(folder)
    store = Store(folder)
    asyncio.run(store.write(write_pair(1)))
    store.close()
    after = dump(folder / sqlite.FILE)
    kept = restore(folder, copy, NOW)
    assert kept == folder / "backups" / "replaced-20260102-030405.db"
    assert dump(folder / sqlite.FILE) == before
    assert dump(kept) == after
    assert stat.S_IMODE((folder / sqlite.FILE).stat().st_mode) == stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert sorted(path.name for path in folder.iterdir()) == ["backups", sqlite.FILE, "served", "served.lock"]
    Store(folder).close()


def test_a_backup_is_restored_into_a_new_folder(folder: Path, tmp_path: Path) -> None:
    copy = back_up(folder)
    assert restore(tmp_path / "new", copy) is None
    assert dump(tmp_path / "new" / sqlite.FILE) == dump(copy)


def test_a_restored_older_backup_is_migrated(folder: Path, changes: Path) -> None:
    copy = back_up(folder)
    add_step(changes)
    restore(folder, copy)
    Store(folder).close()
    assert query(folder / sqlite.FILE, "SELECT version_num FROM alembic_version") == [(tables.newest(),)]


def test_a_restore_replaces_the_log_of_a_killed_program(folder: Path) -> None:
    copy, database = back_up(folder), folder / sqlite.FILE
    code = f"""
import os, sqlite3
raw = sqlite3.connect({str(database)!r}, isolation_level=None)
raw.execute("INSERT INTO about VALUES ('late', '')")
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
    assert database.with_name(f"{sqlite.FILE}-wal").stat().st_size > 0
    kept = restore(folder, copy)
    assert kept is not None
    assert ("late",) in query(kept, "SELECT name FROM about")
    assert dump(database) == dump(copy)


def test_a_damaged_database_can_be_replaced(folder: Path) -> None:
    copy = back_up(folder)
    (folder / sqlite.FILE).write_bytes(b"no database " * 1000)
    (folder / f"{sqlite.FILE}-wal").write_bytes(b"nor a log " * 1000)
    kept = restore(folder, copy)
    assert kept is not None
    assert kept.read_bytes().startswith(b"no database")
    assert kept.with_name(f"{kept.name}-wal").exists()
    assert dump(folder / sqlite.FILE) == dump(copy)


def test_a_restore_into_a_served_folder_is_refused(folder: Path) -> None:
    copy, before = back_up(folder), dump(folder / sqlite.FILE)
    lock = FolderLock(folder, "http://127.0.0.1:8756/")
    with pytest.raises(GamesTaken, match="another Leuthen server already runs these games"):
        restore(folder, copy)
    lock.release()
    assert dump(folder / sqlite.FILE) == before
    assert not list((folder / "backups").glob("replaced*"))


@pytest.mark.parametrize("kept_part", [0.3, 0.7, 0.99])
def test_a_torn_backup_is_refused(folder: Path, kept_part: float) -> None:
    copy, before = back_up(folder), dump(folder / sqlite.FILE)
    data = copy.read_bytes()
    copy.write_bytes(data[: int(len(data) * kept_part)])
    with pytest.raises(Invalid, match=rf"{copy.name}: the database (is damaged|cannot be used): "):
        restore(folder, copy)
    assert dump(folder / sqlite.FILE) == before


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("CREATE TABLE recipes (name TEXT)", "not a Leuthen database"),
        ("", "is an empty database"),
        (
            "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('9999')",
            "another version of Leuthen",
        ),
    ],
)
def test_a_backup_of_another_program_is_refused(folder: Path, tmp_path: Path, script: str, words: str) -> None:
    other, before = run_script(tmp_path / "other", script) / sqlite.FILE, dump(folder / sqlite.FILE)
    with pytest.raises(Invalid, match=rf"leuthen\.db: .*{words}"):
        restore(folder, other)
    assert dump(folder / sqlite.FILE) == before


def test_an_existing_backup_is_not_overwritten(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(Invalid, match=r"copy\.db: this file already exists"):
        back_up(folder, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"


def test_a_full_disk_leaves_no_partial_backup(folder: Path, tmp_path: Path) -> None:
    before = dump(folder / sqlite.FILE)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    target = tmp_path / "small" / "copy.db"
    words = [sys.executable, "-m", "leuthen", "backup", str(target), "--data-dir", str(folder)]
    done = subprocess.run(words, preexec_fn=limit, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith(f"leuthen: {target}: ")
    assert done.stderr.count("\n") == 1
    assert list(target.parent.iterdir()) == []
    assert dump(folder / sqlite.FILE) == before


def test_a_full_disk_during_a_restore_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy, before = back_up(folder), dump(folder / sqlite.FILE)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sqlite, "_flush", full)
    with pytest.raises(Invalid, match="cannot be written: No space left on device"):
        restore(folder, copy)
    assert dump(folder / sqlite.FILE) == before
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_backup_and_restore_are_commands(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy.db"
    assert run(["backup", str(copy), "--data-dir", str(folder)]) == 0
    assert capsys.readouterr().out == f"The games were backed up to {copy}.\n"
    assert run(["restore", str(copy), "--data-dir", str(folder)]) == 0
    assert "The old ones are saved in" in capsys.readouterr().out
    assert run(["restore", str(tmp_path / "none.db"), "--data-dir", str(folder)]) == 2
    assert run(["backup", "--data-dir", str(tmp_path / "nowhere")]) == 2
    assert "there is no such database" in capsys.readouterr().err


def test_a_locked_database_ends_a_backup(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
    monkeypatch.setattr(sqlite, "_TRIES", 1)
    with closing(sqlite3.connect(folder / sqlite.FILE, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Invalid, match="another program holds the database"):
            back_up(folder)


def test_a_backup_with_a_flipped_bit_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = back_up(folder)
    whole = copy.read_bytes()
    (text,) = query(copy, "SELECT text FROM actions LIMIT 1")[0]
    at = whole.index(str(text).encode())
    before = dump(folder / sqlite.FILE)
    for bit in range(7):
        copy.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        assert run(["restore", "--data-dir", str(folder), str(copy)]) == 2
        assert "it was changed after the backup" in capsys.readouterr().err
    assert dump(folder / sqlite.FILE) == before


def test_a_copied_database_that_was_served_can_be_restored(folder: Path) -> None:
    copy = back_up(folder)
    (folder / sqlite.FILE).write_bytes(copy.read_bytes())
    store = Store(folder)
    asyncio.run(store.write(write_pair(1)))
    store.close()
    other = folder / "by-hand.db"
    other.write_bytes((folder / sqlite.FILE).read_bytes())
    restore(folder, other)
    restore(folder, back_up(folder))
    Store(folder).close()

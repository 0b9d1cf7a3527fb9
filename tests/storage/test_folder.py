import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest

from leuthen.storage import sqlite
from leuthen.storage.faults import StorageGone
from leuthen.storage.rows import MarkRow, Rows, first
from leuthen.storage.store import CHECKED, Store


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


def found(store: Store) -> MarkRow | None:
    return asyncio.run(store.read(lambda rows: first(rows, MarkRow, name=CHECKED)))


def test_others_cannot_look_into_the_folder(store: Store, folder: Path) -> None:
    write(store, "a")
    assert set(modes(folder)) == {"games", "leuthen.db", "leuthen.db-wal", "leuthen.db-shm", "served", "served.lock"}
    assert {mode & 0o077 for mode in modes(folder).values()} == {0}


def test_what_was_open_to_others_is_closed(folder: Path) -> None:
    Store(folder).close()
    folder.chmod(0o755)
    (folder / sqlite.FILE).chmod(0o644)
    (folder / f"{sqlite.FILE}.before").touch(0o644)
    Store(folder).close()
    assert {mode & 0o077 for mode in modes(folder).values()} == {0}, "copies too"


def test_a_folder_with_other_things_stays_as_open_as_it_is(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "letter").touch()
    Store(folder).close()
    assert modes(folder)["games"] == 0o755
    assert modes(folder)[sqlite.FILE] == 0o600


def test_nothing_is_acknowledged_when_the_folder_is_gone(store: Store, folder: Path) -> None:
    write(store, "a")
    shutil.rmtree(folder)
    for _ in range(2):
        with pytest.raises(StorageGone):
            write(store, "b")
    with pytest.raises(StorageGone):
        asyncio.run(store.check("c"))


def test_nothing_is_acknowledged_that_goes_to_a_file_deleted_meanwhile(store: Store, folder: Path) -> None:

    def lose(rows: Rows) -> None:
        rows.add(MarkRow(CHECKED, "b"))
        shutil.rmtree(folder)

    with pytest.raises(StorageGone):
        asyncio.run(store.write(lose))


def test_nothing_is_acknowledged_without_the_newest_commits(store: Store, folder: Path) -> None:
    write(store, "a")
    (folder / f"{sqlite.FILE}-wal").unlink()
    with pytest.raises(StorageGone):
        write(store, "b")


def test_another_database_in_its_place_is_not_written(store: Store, folder: Path) -> None:
    write(store, "a")
    shutil.rmtree(folder)
    other = Store(folder)
    with pytest.raises(StorageGone):
        write(store, "b")
    assert found(other) is None
    other.close()


def test_a_folder_that_was_moved_and_is_back_goes_on(store: Store, folder: Path) -> None:
    write(store, "a")
    away = folder.rename(folder.with_name("away"))
    with pytest.raises(StorageGone):
        write(store, "b")
    away.rename(folder)
    write(store, "c")
    assert found(store) == MarkRow(CHECKED, "c")


def test_a_check_writes_and_reads(store: Store) -> None:
    assert asyncio.run(store.check("a"))
    assert asyncio.run(store.check("b"))
    assert asyncio.run(store.read(lambda rows: rows.find(MarkRow))) == [MarkRow(CHECKED, "b")]

"""Backups of a folder's games during play, and their restoration. A backup is one file with private permissions."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import inspect, select

from leuthen.engine.refusal import Invalid
from leuthen.play.proof.ledger import SealMismatch, expect_bound
from leuthen.storage.faults import StorageError
from leuthen.storage.migrate import revision_of
from leuthen.storage.rows import ActionRow, DiceKeyRow, ProofRow, SealRow
from leuthen.storage.sqlite import (
    BACKUPS,
    BESIDE,
    FILE,
    FolderLock,
    check_integrity,
    copy_database,
    expect_as_copied,
    free_name,
    give_to_owner,
    merge_write_log,
    open_to_look,
    sqlite_faults,
    translate_errors,
)
from leuthen.storage.tables import TABLES, SqlRows


def back_up(folder: Path, target: Path | None = None, at: datetime | None = None) -> Path:
    """Copy the games of a folder as they are at one instant, without delaying players; return the copy.

    Without `target` the copy goes to the folder's backups, named by the time. Raise Invalid; no copy exists then.
    """
    source = folder / FILE
    _expect_there(source)
    copy = target or _new_name(folder / BACKUPS, "games", at)
    with translate_errors(copy, "cannot be written"):
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with translate_errors(source, "cannot be read"):
        _expect_ours(source)
    with translate_errors(copy, "cannot be written"):
        copy_database(source, copy, has_sum=True)
        give_to_owner(folder)
    return copy


def restore(folder: Path, backup: Path, at: datetime | None = None) -> Path | None:
    """Replace a folder's games by a backup; return the file of the replaced games, if there were any.

    At every instant the folder contains one or the other. Raise GamesTaken while a server uses the folder, Invalid for
    a file that is damaged, newer than this program or not from Leuthen, and if a game differs from its proof; nothing
    has changed then.
    """
    _expect_there(backup)
    lock = FolderLock(folder)
    try:
        with translate_errors(backup, "cannot be restored"), sqlite_faults():
            _expect_ours(backup)
            check_integrity(backup)
            expect_as_copied(backup)
            _expect_sealed(backup)
        ready = _new_name(folder, ".restored", at)
        with translate_errors(folder, "cannot be written"):
            copy_database(backup, ready)
        try:
            with translate_errors(folder, "cannot be written"):
                return _replace(folder / FILE, ready, _new_name(folder / BACKUPS, "replaced", at))
        finally:
            ready.unlink(missing_ok=True)
    finally:
        lock.release()
        with translate_errors(folder, "cannot be given to its owner"):
            give_to_owner(folder)


def _expect_ours(path: Path) -> None:
    with open_to_look(path).connect() as connection:
        if revision_of(connection) is None:
            raise Invalid("is an empty database")


def _expect_sealed(path: Path) -> None:
    with open_to_look(path).connect() as connection:
        if {"seals", "proof"} <= set(inspect(connection).get_table_names()):
            rows = SqlRows(connection)
            for game in connection.scalars(select(TABLES[ProofRow].c.game).distinct()):
                _expect_bound(path, rows, game)


def _expect_bound(path: Path, rows: SqlRows, game: str) -> None:
    lines = [(action.number, action.actor, action.text) for action in rows.find(ActionRow, game=game)]
    keys, seals = rows.find(DiceKeyRow, game=game), rows.find(SealRow, game=game)
    secret, signing = b"".join(row.key for row in keys), b"".join(row.signing for row in seals)
    try:
        expect_bound(game, secret, signing, [line.text for line in rows.find(ProofRow, game=game)], lines)
    except SealMismatch as error:
        raise Invalid(f"{path}: the game {game} was changed: {error}") from error


def _replace(present: Path, ready: Path, kept: Path) -> Path | None:
    if not present.exists():
        ready.replace(present)
        return None
    kept.parent.mkdir(mode=0o700, exist_ok=True)
    with suppress(StorageError), sqlite_faults():
        check_integrity(present)
        merge_write_log(present)
    for end in BESIDE:  # of one that is damaged, as it is: it must not fall to the new one
        if (beside := present.with_name(present.name + end)).exists():
            beside.replace(kept.with_name(kept.name + end))
    os.link(present, kept)
    kept.chmod(0o600)
    ready.replace(present)
    return kept


def _new_name(folder: Path, word: str, at: datetime | None) -> Path:
    return free_name(folder, f"{word}-{at or datetime.now(UTC):%Y%m%d-%H%M%S}")


def _expect_there(path: Path) -> None:
    if not path.is_file():
        raise Invalid(f"{path}: there is no such database")

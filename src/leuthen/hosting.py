"""The commands of who keeps a server: copies of its games, and the way back."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from leuthen import arguments
from leuthen.engine.refusal import Invalid
from leuthen.folders import server_folder

if TYPE_CHECKING:
    from leuthen.storage.postgres import Postgres


def add_backup(commands: arguments.Commands) -> None:
    """The command `backup`."""
    text = "Copies the games of a server while they are played."
    backup = arguments.command(commands, "backup", "copy the games of a server", text, _backup)
    backup.add_argument("file", metavar="FILE", nargs="?", type=Path, help="a file that is not there yet")
    arguments.add_folder(backup)


def add_restore(commands: arguments.Commands) -> None:
    """The command `restore`."""
    text = "Puts a copy in the place of a server's games, which are kept. The server must be stopped."
    restore = arguments.command(commands, "restore", "go back to a copy", text, _restore)
    restore.add_argument("file", metavar="FILE", type=Path)
    arguments.add_folder(restore)


def _backup(args: argparse.Namespace) -> int:
    from leuthen.storage.backup import back_up

    print(f"The games are copied to {back_up(_folder_of(args, 'pg_dump'), args.file)}.")
    return 0


def _restore(args: argparse.Namespace) -> int:
    from leuthen.storage.backup import restore

    kept = restore(_folder_of(args, "pg_restore"), args.file)
    print(f"The games of {args.file} are in place.{f' Those before are kept in {kept}.' if kept else ''}")
    return 0


def _folder_of(args: argparse.Namespace, tool: str) -> Path:
    """Return the folder that holds a server's games. Raise Invalid where they are in PostgreSQL."""
    if args.data_dir is None and os.environ.get("LEUTHEN_DATABASE"):
        raise Invalid(f"LEUTHEN_DATABASE is set: copy these games with {tool} (docs/backup.md), or name --data-dir")
    return server_folder(args.data_dir)


def place_of(args: argparse.Namespace) -> Path | Postgres:
    """Where the games are that are to be served. Raises Invalid."""
    if args.database and args.data_dir:
        raise Invalid("--database and --data-dir: games are in the one or in the other")
    address = args.database or ("" if args.data_dir else os.environ.get("LEUTHEN_DATABASE", ""))
    if not address:
        return server_folder(args.data_dir)
    from leuthen.storage.postgres import Postgres

    return Postgres(address)

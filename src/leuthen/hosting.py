"""The commands of who keeps a server: copies of its games, and the way back."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from leuthen.storage.postgres import Postgres

Commands: TypeAlias = "argparse._SubParsersAction[Any]"


def add_backup(commands: Commands) -> None:
    """The command `backup`."""
    text = "Copies the games of a server while they are played."
    backup = commands.add_parser("backup", help="copy the games of a server", description=text)
    backup.add_argument("file", metavar="FILE", nargs="?", type=Path, help="a file that is not there yet")
    backup.add_argument("--data-dir", metavar="DIR", type=Path, help="where games are kept")
    backup.set_defaults(command=_backup)


def add_restore(commands: Commands) -> None:
    """The command `restore`."""
    text = "Puts a copy in the place of a server's games, which are kept. The server must be stopped."
    restore = commands.add_parser("restore", help="go back to a copy", description=text)
    restore.add_argument("file", metavar="FILE", type=Path)
    restore.add_argument("--data-dir", metavar="DIR", type=Path, help="where games are kept")
    restore.set_defaults(command=_restore)


def _backup(args: argparse.Namespace) -> int:
    from leuthen.server.http.serve import default_folder
    from leuthen.storage.backup import back_up

    print(f"The games are copied to {back_up(args.data_dir or default_folder(), args.file)}.")
    return 0


def _restore(args: argparse.Namespace) -> int:
    from leuthen.server.http.serve import default_folder
    from leuthen.storage.backup import restore

    kept = restore(args.data_dir or default_folder(), args.file)
    print(f"The games of {args.file} are in place.{f' Those before are kept in {kept}.' if kept else ''}")
    return 0


def place_of(args: argparse.Namespace) -> Path | Postgres:
    """Where the games are that are to be served. Raises Invalid."""
    from leuthen.engine.refusal import Invalid
    from leuthen.server.http.serve import default_folder

    if args.database and args.data_dir:
        raise Invalid("--database and --data-dir: games are in the one or in the other")
    address = args.database or ("" if args.data_dir else os.environ.get("LEUTHEN_DATABASE", ""))
    if not address:
        return args.data_dir or default_folder()
    from leuthen.storage.postgres import Postgres

    return Postgres(address)
